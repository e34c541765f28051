"""The sub-commands of `glossator`, one module each: what the option means, and what is printed."""
