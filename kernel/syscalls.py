"""System call numbers of the two architectures that the jail knows, and their names in groups.

A name without a number on an architecture does not exist there: `number` answers None, and a filter skips its rule.
An unknown architecture has no numbers at all, so that no filter can be built for it (`SyscallsUnknown`).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass


class SyscallsUnknown(OSError):
    """This operating system or processor has no table here: no filter can be built."""


@dataclass(frozen=True, slots=True)
class Architecture:
    name: str
    audit: int  # AUDIT_ARCH_*, which the kernel gives to seccomp filters
    column: int  # of NUMBERS
    second_table_from: int | None  # numbers from here on belong to another ABI (x32): refused


ARCHITECTURES = {
    "x86_64": Architecture("x86_64", 0xC000003E, 0, 0x40000000),
    "aarch64": Architecture("aarch64", 0xC00000B7, 1, None),
}


def architecture() -> Architecture:
    """The architecture of this process; raises `SyscallsUnknown` where there is no table."""
    machine = os.uname().machine if sys.platform == "linux" else sys.platform
    # A 32-bit interpreter on a 64-bit kernel reports the kernel's machine but uses other numbers.
    if machine not in ARCHITECTURES or sys.maxsize < 2**32:
        raise SyscallsUnknown(0, f"no system call table for {machine}")
    return ARCHITECTURES[machine]


def number(name: str, on: Architecture | None = None) -> int | None:
    """The number of a system call, None where it does not exist; an unknown name is a KeyError."""
    return NUMBERS[name][(on or architecture()).column]


# What a process that computes has no business with. Each group can be denied alone.
GROUPS: dict[str, tuple[str, ...]] = {
    "network": ("socket", "connect", "bind", "listen", "accept", "accept4"),
    "execution": ("execve", "execveat", "uselib", "memfd_create", "memfd_secret"),
    "tracing": (
        *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp"),
        *("pidfd_open", "pidfd_getfd", "userfaultfd", "perf_event_open"),
    ),
    "signals": ("kill", "tkill", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo"),
    "mounts": (
        *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "fsopen", "fsconfig", "fsmount"),
        *("fspick", "move_mount", "open_tree", "mount_setattr", "open_by_handle_at", "name_to_handle_at"),
    ),
    "administration": (
        *("swapon", "swapoff", "reboot", "sethostname", "setdomainname", "init_module", "finit_module"),
        *("delete_module", "kexec_load", "kexec_file_load", "bpf", "keyctl", "add_key", "request_key"),
        *("io_uring_setup", "io_uring_enter", "io_uring_register", "acct", "settimeofday", "clock_settime"),
        *("clock_adjtime", "adjtimex", "iopl", "ioperm", "syslog", "quotactl", "personality", "fanotify_init"),
        *("lookup_dcookie", "modify_ldt", "inotify_init1"),
    ),
}

# fmt: off
# name: (x86_64, aarch64), from the kernel's own headers
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getrusage": (98, 165),
    "times": (100, 153),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "sigaltstack": (131, 132),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "timer_settime": (223, 110),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "rseq": (334, 293),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "socketpair": (53, 199),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "open": (2, None),
    "openat": (257, 56),
    "openat2": (437, 437),
    "creat": (85, None),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "getdents64": (217, 61),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "chmod": (90, None),
    "fchmodat": (268, 53),
    "chown": (92, None),
    "truncate": (76, 45),
    "statfs": (137, 43),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "utimensat": (280, 88),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "execve": (59, 221),
    "execveat": (322, 281),
    "uselib": (134, None),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "fork": (57, None),
    "vfork": (58, None),
    "clone": (56, 220),
    "clone3": (435, 435),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "iopl": (172, None),
    "ioperm": (173, None),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "personality": (135, 92),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, None),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "capget": (125, 90),
    "capset": (126, 91),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "setrlimit": (160, 164),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setgroups": (116, 159),
    "wait4": (61, 260),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "inotify_init1": (294, 26),
    "timerfd_create": (283, 85),
    "eventfd2": (290, 19),
    "pipe2": (293, 59),
    "dup": (32, 23),
}
# fmt: on
