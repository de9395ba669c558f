"""Tries every way out of a sandbox that is known to us, and prints those that worked.

The test puts TARGETS before this text: canaries of the host by path, port, socket and process.
"""
import ctypes
import errno
import glob
import json
import os
import socket
import struct
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
worked = []
tried = 0
CANARY, SECRET = TARGETS["canary"], TARGETS["secret"]


def attempt(name, action):
    """`action` succeeds by returning something true; raising or returning nothing is a wall that held."""
    global tried
    tried += 1
    try:
        result = action()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return
    if result:
        worked.append(f"{name}: {str(result)[:200]}")


def reads(path):
    with open(path, "rb") as file:
        return SECRET.encode() in file.read(100_000)


def syscall(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    return None if result == -1 else f"returned {result}"


x64 = os.uname().machine == "x86_64"
up = "/".join([".."] * 12)

# Files: by path, by detours, by links, by other processes.
for name, path in {
    "absolute": CANARY, "relative": up + CANARY, "root of process 1": f"/proc/1/root{CANARY}",
    "own root": f"/proc/self/root{CANARY}", "cwd of process 1": f"/proc/1/cwd{CANARY}",
    "thread's root": f"/proc/thread-self/root{CANARY}", "/mnt": f"/mnt{CANARY}", "/host": f"/host{CANARY}",
    "/rootfs": f"/rootfs{CANARY}", "null-padded": "//" + CANARY,
}.items():
    attempt(f"read canary, {name}", lambda path=path: reads(path))
    attempt(f"write canary, {name}", lambda path=path: open(path, "a").write("x"))
for index in range(1, 60):
    attempt(f"read over process {index}", lambda index=index: reads(f"/proc/{index}/root{CANARY}"))
def symlinked():
    os.symlink(CANARY, "link-out")
    return reads("link-out")
def hardlinked():
    os.link(CANARY, "hard-out")
    return reads("hard-out")
def renamed_over():
    os.rename(CANARY, "moved-out")
    return True
attempt("symbolic link", symlinked)
attempt("hard link", hardlinked)
attempt("link of a descriptor", lambda: os.link("/proc/self/exe", "exe-out") or reads("exe-out"))
attempt("rename", renamed_over)
attempt("remove", lambda: os.remove(CANARY) or True)
attempt("folder above the workspace", lambda: [n for n in os.listdir("/workspace/..") if n in TARGETS["hostNames"]])
for fd in os.listdir("/proc/self/fd"):
    attempt(f"descriptor {fd} leads out", lambda fd=fd: reads(f"/proc/self/fd/{fd}{CANARY}") or os.fchdir(int(fd)) or reads("." + CANARY))
for handle in (1, 2, 3, 128, 256):
    raw = struct.pack("Ii", 8, 1) + struct.pack("II", handle, 0)
    attempt("open_by_handle_at", lambda raw=raw: syscall(304 if x64 else 265, os.open("/", os.O_RDONLY), raw, 0))

# Mounts and namespaces.
for source, kind in (("/", b"bind"), ("proc", b"proc"), ("tmpfs", b"tmpfs"), ("overlay", b"overlay")):
    attempt(f"mount {kind}", lambda source=source, kind=kind: libc.mount(source.encode(), b"/workspace", kind, 4096, None) == 0)
attempt("unmount /proc", lambda: libc.umount2(b"/proc", 2) == 0)
attempt("pivot_root", lambda: syscall(155 if x64 else 41, b"/workspace", b"/workspace"))
attempt("chroot", lambda: os.chroot("/workspace") or True)
for label, flag in (("user", 0x10000000), ("mount", 0x20000), ("pid", 0x20000000), ("net", 0x40000000)):
    attempt(f"unshare {label}", lambda flag=flag: libc.unshare(flag) == 0)
    attempt(f"clone3 {label}", lambda flag=flag: syscall(435, struct.pack("Q", flag) + bytes(80), 88))
for kind in ("mnt", "net", "pid", "user"):
    attempt(f"setns {kind}", lambda kind=kind: libc.setns(os.open(f"/proc/1/ns/{kind}", os.O_RDONLY), 0) == 0)
for call in (428, 429, 430, 432, 433, 442):
    attempt(f"mount call {call}", lambda call=call: syscall(call, 0, b"/", 0))

# Sockets.
def tcp(host, port):
    with socket.create_connection((host, port), 0.3):
        return True
for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", TARGETS["hostAddress"], "host.docker.internal", "172.17.0.1", "10.0.2.2", "169.254.169.254"):
    attempt(f"TCP {host}", lambda host=host: tcp(host, TARGETS["port"]))
def unix(path):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(0.3)
        sock.connect(path)
        return True
for path in (TARGETS["socket"], "\0" + TARGETS["abstract"], "/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/systemd/private", "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0"):
    attempt(f"socket {path!r}", lambda path=path: unix(path))
for family, kind, protocol in ((40, 1, 0), (17, 3, 3), (38, 5, 0), (socket.AF_INET, socket.SOCK_RAW, 1), (31, 3, 1), (44, 2, 0)):
    attempt(f"socket family {family}", lambda family=family, kind=kind, protocol=protocol: socket.socket(family, kind, protocol).fileno() > 0 and family not in (socket.AF_INET,))

# Processes.
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    attempt(f"sees process {pid} of the host", lambda pid=pid: TARGETS["marker"].encode() in open(f"/proc/{pid}/cmdline", "rb").read())
attempt("kill the host's process", lambda: not os.path.exists(f"/proc/{TARGETS['pid']}") and os.kill(TARGETS["pid"], 9) is None)
attempt("environment of the app", lambda: [pid for pid in os.listdir("/proc") if pid.isdigit() and os.access(f"/proc/{pid}/environ", os.R_OK) and b"HYPERAGENT_CANARY" in open(f"/proc/{pid}/environ", "rb").read()])
attempt("own environment", lambda: [name for name in os.environ if "CANARY" in name or "KEY" in name or "TOKEN" in name])

# The kernel, devices, rights.
for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger", "/proc/sys/vm/overcommit_memory", "/sys/kernel/uevent_helper",
             "/sys/fs/cgroup/release_agent", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory.max", "/etc/passwd", "/etc/ld.so.preload", "/usr/bin/env", "/opt/hyperagent/relay.py"):
    attempt(f"write {path}", lambda path=path: os.close(os.open(path, os.O_WRONLY)) or True)
for path in ("/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/loop0", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/tty", "/proc/kcore"):
    attempt(f"open {path}", lambda path=path: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) or True)
attempt("make a disk", lambda: os.mknod("disk", 0o60660, os.makedev(8, 0)) or True)
attempt("setuid 0", lambda: os.getuid() != 0 and (os.setuid(0) or True))
attempt("sudo", lambda: subprocess.run(["sudo", "-n", "id"], capture_output=True).returncode == 0)
attempt("a setuid file of its own", lambda: os.chmod(open("suid", "w").name, 0o4755) or subprocess.run(["./suid"], capture_output=True).returncode == 0)
for name, number in {"bpf": 321 if x64 else 280, "keyctl": 250 if x64 else 219, "userfaultfd": 323 if x64 else 282, "io_uring": 425, "perf": 298 if x64 else 241,
                     "init_module": 175 if x64 else 105, "kexec": 246 if x64 else 104, "acct": 163 if x64 else 89, "swapon": 167 if x64 else 224, "reboot": 169 if x64 else 142, "settime": 227 if x64 else 112}.items():
    attempt(name, lambda number=number: syscall(number, 0, 0, 0, 0, 0))

print(json.dumps({"tried": tried, "worked": worked}))
