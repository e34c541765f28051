"""What the Linux kernel offers to confine a process: Landlock, seccomp, namespaces, capabilities.

Bindings only, by ctypes and the standard library; the rooms `sandbox` and `corpus` decide what to forbid.
"""
