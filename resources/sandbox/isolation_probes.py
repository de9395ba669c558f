"""Tries to break out of a fresh sandbox and reports what it tried.

Runs inside, before anything else does. The app puts `TARGETS = {...}` before this text (bait on the
host: a secret file, listeners, a process; and facts to compare with), and then probe_kit.py, which
prints what was found.
"""
import ctypes
import errno
import os
import resource
import signal
import socket
import stat
import sys
import time

LINUX = sys.platform == "linux"
# Programs have the host's mounts, process numbers and file names: what counts is what they can open.
SHARED = TARGETS["sharesHost"]
ABSENT = {errno.ENOENT, errno.ENOTDIR}
NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EPERM, errno.EACCES,
            errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
# Seconds to wait for the app, which answers for its proxy and may be busy.
PATIENCE = 60


def call(name, *arguments):
    """Calls a function of the C library; a result of -1 raises OSError."""
    ctypes.set_errno(0)
    result = getattr(libc, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def create(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def connect(family, kind, address):
    with socket.socket(family, kind) as sock:
        sock.settimeout(0.5)
        try:
            sock.connect(address)
        except socket.timeout:
            return  # On its way and not stopped: as good as connected.


def write_outside(probe):
    for folder in TARGETS["foldersOutside"]:
        probe.must_fail(f"write in {folder}", lambda: create(os.path.join(folder, MARK)))
    # Folders in memory look the same inside; the app checks that the file does not appear on the host.
    for folder in TARGETS["privateFolders"]:
        try:
            create(os.path.join(folder, MARK))
            probe.saw(f"write in {folder}: must not appear on the host")
        except OSError as error:
            probe.saw(f"write in {folder}: {errno.errorcode.get(error.errno)}")


def mounts(probe):
    if not LINUX:
        probe.saw("this system has no mounts per program")
        return
    if SHARED:
        for path in TARGETS["foldersOutside"]:
            if not path.startswith(("/usr", "/bin", "/lib")):
                probe.must_fail(f"list {path}", lambda: os.listdir(path))
        probe.must_fail("read the mounts of the host", lambda: open_for("/proc/self/mountinfo", os.O_RDONLY))
        change_outside(probe)
        return
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, after = line.split(" - ", 1)
            point, options = before.split()[4:6]
            kind, _, more = after.split()[:3]
            writable = "rw" in options.split(",") and "rw" in more.split(",")
            # Device nodes, and the empty files that engines put over parts of /proc.
            harmless = kind == "devtmpfs" and stat.S_ISCHR(os.stat(point).st_mode)
            harmless = harmless or kind == "tmpfs" and point.startswith("/proc/")
            # Engines on cgroup version 1 mount each control group read-only into a folder that root owns.
            harmless = harmless or point == "/sys/fs/cgroup" and not os.access(point, os.W_OK)
            if point not in TARGETS["mounts"] and not point.startswith(("/proc/", "/dev/", "/sys/")):
                probe.breach(f"{point} ({kind}) must not be here")
            elif writable and not harmless and point not in TARGETS["writableMounts"]:
                probe.breach(f"{point} ({kind}) is writable")
            else:
                probe.saw(f"{point} ({kind})")


def change_outside(probe):
    """Landlock has no say in modes, times, owners and attributes of files; the bait is a file of this very user."""
    path = TARGETS["ownFile"]
    for what, action in (
        ("mode", lambda: os.chmod(path, 0o777)), ("times", lambda: os.utime(path, (1, 1))),
        ("owner", lambda: os.chown(path, os.getuid(), os.getgid())),
        ("attributes", lambda: os.setxattr(path, "user.probe", b"1")),
        ("content", lambda: open_for(path, os.O_WRONLY)), ("length", lambda: os.truncate(path, 0)),
        ("name", lambda: os.rename(path, path + "-moved")), ("second name", lambda: os.link(path, TARGETS["workspace"] + "/linked")),
        ("existence", lambda: os.unlink(path)),
    ):
        probe.must_fail(f"change the {what} of a file outside", action)
    inotify = 254 if os.uname().machine == "x86_64" else 27
    probe.must_fail("watch a folder outside", lambda: call("syscall", inotify, -1, path.encode(), 0xfff), only={errno.ENOSYS, errno.EPERM})


def read_secret(probe):
    for path in TARGETS["secrets"]:
        refusals = {errno.EACCES} if SHARED else set() if LINUX else {errno.EPERM}
        probe.must_fail(f"read {path}", lambda: open_for(path, os.O_RDONLY), only=ABSENT | refusals)
    for path, identity in TARGETS["hostFiles"]:
        if SHARED:
            probe.must_fail(f"read {path}", lambda: open_for(path, os.O_RDONLY))
            continue
        try:
            found = os.stat(path)
            if [found.st_dev, found.st_ino] == identity:
                probe.breach(f"{path} is the host's")
            else:
                probe.saw(f"{path} is not the host's")
        except OSError as error:
            probe.saw(f"{path}: {errno.errorcode.get(error.errno)}")
    if not LINUX:
        # Visible or not, the user's folders must not be listable.
        for folder in TARGETS["foldersOutside"][-3:]:
            probe.must_fail(f"list {folder}", lambda: os.listdir(folder))
    for path in ("/etc/shadow", "/etc/sudoers", "/root/.ssh/id_rsa", "/var/lib/docker"):
        probe.must_fail(f"read {path}", lambda: os.close(os.open(path, os.O_RDONLY)))


def connect_loopback(probe):
    """The listeners, on the host, count what came through."""
    for host, port in TARGETS["tcpListeners"]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        probe.must_fail(f"connect to {host}:{port}", lambda: connect(family, socket.SOCK_STREAM, (host, port)))
    for host, port in TARGETS["udpListeners"]:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.sendto(b"probe", (host, port))
            probe.saw(f"datagram to {host}:{port}: must not arrive")
        except OSError as error:
            probe.saw(f"datagram to {host}:{port}: {errno.errorcode.get(error.errno)}")
    if SHARED:
        # The loopback is that of the host: nothing may listen on it, or connect without `connect`.
        probe.must_fail("bind a port", lambda: bind(0))
        probe.must_fail("listen on a port", lambda: listen())
        probe.must_fail("connect by sending", lambda: fast_open(TARGETS["tcpListeners"][0]))
        probe.must_fail("open a socket of another protocol", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close())
        probe.must_fail("open a socket to the kernel", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close())


def bind(port):
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", port))


def listen():
    with socket.socket() as sock:
        sock.listen()


def fast_open(address):
    with socket.socket() as sock:
        sock.sendto(b"probe", 0x20000000, tuple(address))


def connect_public(probe):
    """Addresses reserved for documentation: even without isolation the packet reaches nobody."""
    for family, host in ((socket.AF_INET, "203.0.113.1"), (socket.AF_INET6, "2001:db8::1")):
        for kind, port, label in ((socket.SOCK_DGRAM, 53, "UDP"), (socket.SOCK_STREAM, 443, "TCP")):
            probe.must_fail(f"{label} to {host}", lambda: connect(family, kind, (host, port)), only=NO_ROUTE)


def resolve_names(probe):
    name = TARGETS["nonce"] + ".invalid"
    try:
        socket.getaddrinfo(name, 80)
        probe.breach(f"{name} was resolved")
    except socket.gaierror as error:
        if error.errno in (socket.EAI_AGAIN, socket.EAI_FAIL) or not LINUX:
            probe.saw(f"resolve {name}: no name server answers")
        else:
            probe.breach(f"resolve {name}: a name server answered")


def egress_proxy(probe):
    """The egress policy allows everything here; that an address is not public must be enough to refuse it."""
    port = TARGETS["proxyPort"]
    if port is None:
        probe.saw("there is no proxy in this sandbox")
        return
    listener = TARGETS["tcpListeners"][0][1]
    wait_for(port)
    for host in ("127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254"):
        status = ask_proxy(port, f"CONNECT {host}:{listener} HTTP/1.1\r\nHost: {host}\r\n\r\n")
        if status == "403":
            probe.saw(f"CONNECT {host}: refused")
        else:
            probe.breach(f"CONNECT {host}: answered {status}")
    status = ask_proxy(port, f"GET http://127.0.0.1:{listener}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    if status == "403":
        probe.saw("GET over the proxy: refused")
    else:
        probe.breach(f"GET over the proxy: answered {status}")
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sock:
        sock.sendall(b"\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01" + listener.to_bytes(2, "big"))
        answer = b""
        while len(answer) < 12:
            piece = sock.recv(64)
            if not piece:
                break
            answer += piece
    if answer[2:4] == b"\x05\x02":
        probe.saw("SOCKS to 127.0.0.1: refused")
    else:
        probe.breach(f"SOCKS to 127.0.0.1: answered {answer!r}")


def wait_for(port):
    """The relay starts beside the shell."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
            return
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM):
                raise
            time.sleep(0.05)
    raise OSError("the relay did not start")


def ask_proxy(port, request):
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sock:
        sock.sendall(request.encode())
        return sock.recv(64).decode("latin1")[9:12]


def engine_socket(probe):
    for path in TARGETS["engineSockets"]:
        probe.must_fail(f"connect to {path}", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, path), only=UNREACHABLE_SOCKET)


def host_sockets(probe):
    for path in TARGETS["hostSockets"]:
        probe.must_fail(f"connect to {path}", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, path), only=UNREACHABLE_SOCKET)
    for name in TARGETS["abstractSockets"]:
        probe.must_fail(f"connect to @{name}", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name), only=UNREACHABLE_SOCKET)
    if LINUX:
        vsock = 40  # The address family between a virtual machine and its host.
        probe.must_fail("open a VSOCK socket", lambda: socket.socket(vsock, socket.SOCK_STREAM).close())


UNREACHABLE_SOCKET = ABSENT | {errno.ECONNREFUSED, errno.EAFNOSUPPORT} | (set() if LINUX else {errno.EPERM})


def processes():
    return [name for name in os.listdir("/proc") if name.isdigit()] if LINUX and not SHARED else []


def host_processes(probe):
    marker = TARGETS["victimMarker"].encode()
    for pid in processes():
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if marker in file.read():
                probe.breach(f"process {pid} belongs to the host")
    probe.saw("looked at every process in /proc")
    if SHARED:
        probe.must_fail("list the processes", lambda: os.listdir("/proc"))
        for pid in (TARGETS["victimPid"], os.getppid(), 1):
            for name in ("cmdline", "environ", "status", "maps", "mem", "fd", "root", "task"):
                probe.must_fail(f"{name} of process {pid}", lambda: open_for(f"/proc/{pid}/{name}", os.O_RDONLY))
        return
    if not LINUX:
        request = (ctypes.c_int * 3)(1, 49, TARGETS["victimPid"])  # CTL_KERN, KERN_PROCARGS2
        size = ctypes.c_size_t(4096)
        buffer = ctypes.create_string_buffer(4096)
        probe.must_fail("arguments of a process", lambda: call("sysctl", request, 3, buffer, ctypes.byref(size), None, 0))


def answers(pid):
    """Whether a signal to this process is allowed."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def signal_and_trace(probe):
    """The app checks that its process survives. A process inside may have the same number."""
    pid = TARGETS["victimPid"]
    if LINUX and not SHARED and os.path.exists(f"/proc/{pid}"):
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if TARGETS["victimMarker"].encode() not in file.read():
                probe.saw(f"process {pid} belongs to this sandbox")
                return
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    attach = 16 if LINUX else 14
    probe.must_fail(f"trace process {pid}", lambda: call("ptrace", attach, pid, None, None))
    if SHARED:
        # Looks for the launcher, which started the shell. On a busy computer, many other processes take the numbers between.
        shell = os.getppid()
        for near in set(range(max(shell - 4096, 2), shell + 64)) - {shell, os.getpid()}:
            if answers(near):
                probe.breach(f"signal process {near}, near the shell: worked")
        probe.saw("signaled every process near the shell")
        probe.must_fail(f"limit process {pid}", lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)))
        probe.must_fail(f"slow down process {pid}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
        probe.must_fail(f"move process {pid}", lambda: os.sched_setaffinity(pid, os.sched_getaffinity(0)))
    probe.must_fail(f"kill process {pid}", lambda: os.kill(pid, signal.SIGKILL))


def host_environment(probe):
    allowed = set(TARGETS["allowedEnvironment"])
    names = set(os.environ)
    for pid in processes():
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                entries = file.read().split(b"\0")
        except OSError as error:
            probe.saw(f"environment of process {pid}: {errno.errorcode.get(error.errno)}")
            continue
        names |= {entry.split(b"=")[0].decode("utf-8", "replace") for entry in entries if b"=" in entry}
    for name in sorted(names):
        if name in allowed:
            probe.saw(name)
        else:
            probe.breach(f"the app did not set the variable {name}")


def namespaces(probe):
    if not LINUX:
        probe.saw("this system has no namespaces")
        return
    for kind, own in TARGETS["hostNamespaces"].items():
        inside = os.readlink(f"/proc/self/ns/{kind}")
        if inside == own:
            probe.breach(f"the {kind} namespace is the host's")
        else:
            probe.saw(f"the {kind} namespace is its own")
    for label, flag in (("user", 0x10000000), ("mount", 0x00020000), ("network", 0x40000000)):
        probe.must_fail(f"make a {label} namespace", lambda: call("unshare", flag))
    probe.must_fail("enter namespaces of process 1", lambda: os_setns("/proc/1/ns/mnt"))
    probe.must_fail("mount", lambda: call("mount", b"none", TARGETS["workspace"].encode(), b"tmpfs", 0, None))
    probe.must_fail("chroot", lambda: os.chroot("/tmp"))


def os_setns(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        call("setns", descriptor, 0)
    finally:
        os.close(descriptor)


def raw_devices(probe):
    devices = ["/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/dev/net/tun",
               "/dev/vhost-net", "/dev/vsock", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/dm-0", "/dev/loop0",
               "/dev/loop-control", "/dev/input/event0", "/dev/dri/card0", "/dev/tty0", "/dev/tty", "/dev/disk0"]
    for path in devices:
        probe.must_fail(f"open {path}", lambda: open_for(path, os.O_RDWR))
    for root, _, names in os.walk("/dev") if LINUX else ():
        for name in names:
            path = os.path.join(root, name)
            if stat.S_ISBLK(os.lstat(path).st_mode):
                probe.breach(f"{path} is a disk")
    for kind, major, minor, label in ((stat.S_IFCHR, 1, 1, "memory"), (stat.S_IFBLK, 8, 0, "a disk")):
        for folder in TARGETS["deviceFolders"]:
            path = os.path.join(folder, "probe-device")
            probe.must_fail(f"make {label} as {path}", lambda: os.mknod(path, 0o600 | kind, os.makedev(major, minor)))


def kernel_interfaces(probe):
    if not LINUX:
        probe.saw("this system has no /proc and /sys")
        return
    for path in ("/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
                 "/proc/sys/vm/panic_on_oom", "/sys/kernel/uevent_helper", "/sys/power/state",
                 "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/release_agent",
                 "/sys/kernel/debug/tracing/trace"):
        probe.must_fail(f"open {path} for writing", lambda: open_for(path, os.O_WRONLY))
    probe.must_fail("read /proc/kcore", lambda: open_for("/proc/kcore", os.O_RDONLY))
    keyctl = 250 if os.uname().machine == "x86_64" else 219
    probe.must_fail("read the key ring of the session", lambda: call("syscall", keyctl, 0, -3, 0))
    bpf = 321 if os.uname().machine == "x86_64" else 280
    probe.must_fail("load a kernel program", lambda: call("syscall", bpf, 0, None, 0), only={errno.EPERM, errno.ENOSYS})
    # Of no process: a call that is not refused outright fails to find one.
    trace, read_memory, write_memory = (101, 310, 311) if os.uname().machine == "x86_64" else (117, 270, 271)
    for what, number, arguments in (
        ("trace a process", trace, (16, -1)), ("read memory of a process", read_memory, (-1, 0, 0, 0, 0, 0)),
        ("write memory of a process", write_memory, (-1, 0, 0, 0, 0, 0)), ("take a descriptor of a process", 438, (-1, 0, 0)),
    ):
        probe.must_fail(what, lambda: call("syscall", number, *arguments), only={errno.EPERM, errno.ENOSYS})


def read_status():
    with open("/proc/self/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def status_by_calls():
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    call("capget", header, sets)
    effective, permitted, inheritable = (f"{sets[at + 3]:08x}{sets[at]:08x}" for at in range(3))
    ambient = sum(1 << bit for bit in range(64) if libc.prctl(47, 1, bit, 0, 0) == 1)
    return {"CapInh": inheritable, "CapPrm": permitted, "CapEff": effective, "CapAmb": f"{ambient:016x}",
            "NoNewPrivs": str(libc.prctl(39, 0, 0, 0, 0)), "Seccomp": str(libc.prctl(21, 0, 0, 0, 0))}


def privileges(probe):
    if not LINUX:
        probe.saw(f"user {os.getuid()}")
        if os.getuid() == 0:
            probe.breach("programs run as root")
        return
    status = status_by_calls() if SHARED else read_status()
    wanted = {"CapInh": "0" * 16, "CapPrm": "0" * 16, "CapEff": "0" * 16, "CapBnd": "0" * 16,
              "CapAmb": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}
    for name, value in wanted.items():
        if SHARED and name == "CapBnd":
            continue  # An ordinary user cannot empty it; without new privileges it gives nothing.
        if status[name].strip() == value:
            probe.saw(f"{name} {value}")
        else:
            probe.breach(f"{name} is {status[name].strip()}")
    if os.getuid() == 0 and not TARGETS["rootIsNobody"]:
        probe.breach("programs run as root")
    probe.must_fail("become root", lambda: os.setuid(0) if os.getuid() != 0 else os.setuid(12345))


def descriptors(probe):
    """The shell must not inherit files that the app or its parent had open, nor its terminal."""
    if LINUX and os.getsid(0) == 0:
        probe.breach("programs share a session with a process of the host")
    if SHARED:
        shared_descriptors(probe)
        return
    folder = f"/proc/{os.getppid()}/fd" if LINUX else "/dev/fd"
    harmless = ("pipe:", "socket:", "anon_inode:", "/dev/null", "/dev/pts/", "/proc/", TARGETS["workspace"], TARGETS["scriptDir"])
    for name in os.listdir(folder):
        try:
            target = os.readlink(os.path.join(folder, name)) if LINUX else "/dev/null"
        except FileNotFoundError:
            continue  # The descriptor of this listing.
        if target.startswith(harmless):
            probe.saw(f"{name}: {target}")
        else:
            probe.breach(f"descriptor {name} is {target}")


def shared_descriptors(probe):
    """The folder cannot be listed, but each number can be asked for. Streams of the shell are sockets; no others may be."""
    if os.getsid(0) != os.getsid(os.getppid()) or os.getsid(0) == os.getsid(TARGETS["victimPid"]):
        probe.breach("programs share a session with a process of the host")
    streams = set()  # Input, output and errors, under as many numbers as the shell likes.
    own = tuple(TARGETS["ownFolders"])
    for pid in (os.getppid(), os.getpid()):
        for number in range(4096):
            try:
                target = os.readlink(f"/proc/{pid}/fd/{number}")
            except FileNotFoundError:
                continue
            if target.startswith("socket:"):
                streams.add(target)
            if target.startswith(("pipe:", "/dev/null", *own)) or target in streams and len(streams) <= 3:
                probe.saw(f"{number}: {target}")
            else:
                probe.breach(f"descriptor {number} is {target}")


PROBES = (write_outside, mounts, read_secret, connect_loopback, connect_public, resolve_names, egress_proxy, engine_socket,
          host_sockets, host_processes, signal_and_trace, host_environment, namespaces, raw_devices,
          kernel_interfaces, privileges, descriptors)

print_report(PROBES)
