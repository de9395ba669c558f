"""Tries to get from a machine in the cloud to the user's computer, and out to the internet.

The same probes as in isolation_probes.py, as far as they make sense on a separate computer
with disks, mounts and namespaces of its own. Runs inside, before anything else
does; the app puts `TARGETS = {...}` and probe_kit.py before this text.
"""
import errno
import os
import signal
import socket
import struct

# One attempt of a second: a firewall that drops packets would delay every lookup.
os.environ["RES_OPTIONS"] = "timeout:1 attempts:1"
PATIENCE = 1.0


def write_outside(probe):
    """The app checks that no file appears on the user's computer."""
    for folder in [os.path.dirname(path) for path in TARGETS["secrets"]] + ["/tmp", "/var/tmp", "/dev/shm", "/run"]:
        try:
            os.close(os.open(os.path.join(folder, MARK), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            probe.saw(f"write in {folder}: must not appear on the user's computer")
        except OSError as error:
            probe.saw(f"write in {folder}: {errno.errorcode.get(error.errno)}")


def mounts(probe):
    """No file system may come from another computer, or from the one that hosts this machine."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, after = line.split(" - ", 1)
            point, kind = before.split()[4], after.split()[0]
            if kind in ("9p", "virtiofs", "nfs", "nfs4", "cifs", "smb3", "vboxsf", "ceph") or kind.startswith("fuse"):
                probe.breach(f"{point} ({kind}) is a share of another computer")
            else:
                probe.saw(f"{point} ({kind})")


def read_secret(probe):
    for path in TARGETS["secrets"]:
        probe.must_fail(f"read {path}", lambda: open_for(path, os.O_RDONLY), only={errno.ENOENT, errno.ENOTDIR, errno.EACCES})
    for path in ("/etc/shadow", "/root/.ssh/id_rsa"):
        probe.must_fail(f"read {path}", lambda: open_for(path, os.O_RDONLY))


def connect_loopback(probe):
    """The listeners, on the user's computer, count what came through."""
    for host, port in TARGETS["tcpListeners"]:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
            sock.settimeout(PATIENCE)
            try:
                sock.connect((host, port))
                probe.saw(f"connect to {host}:{port}: must not arrive")
            except OSError as error:
                probe.saw(f"connect to {host}:{port}: {error}")
    for host, port in TARGETS["udpListeners"]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            try:
                sock.sendto(b"probe", (host, port))
                probe.saw(f"datagram to {host}:{port}: must not arrive")
            except OSError as error:
                probe.saw(f"datagram to {host}:{port}: {errno.errorcode.get(error.errno)}")


def connect_public(probe):
    """Only an answer counts: a firewall may accept a connection and drop it."""
    for host, port in TARGETS["publicTcp"]:
        what = f"TCP to {host}:{port}"
        try:
            with socket.create_connection((host, port), PATIENCE) as sock:
                sock.settimeout(PATIENCE)
                sock.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
                if sock.recv(1) != b"":
                    probe.breach(f"{what}: an answer came")
                    continue
            probe.saw(f"{what}: accepted, then dropped")
        except OSError as error:
            probe.saw(f"{what}: {error}")
    query = struct.pack(">6H", 0x4841, 0x0100, 1, 0, 0, 0) + b"\x07example\x03com\x00" + struct.pack(">2H", 1, 1)
    for host, port in TARGETS["publicUdp"]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.settimeout(PATIENCE)
            try:
                sock.sendto(query, (host, port))
                sock.recvfrom(512)
                probe.breach(f"UDP to {host}:{port}: an answer came")
            except OSError as error:
                probe.saw(f"UDP to {host}:{port}: {error}")


def resolve_names(probe):
    name = TARGETS["nonce"] + ".invalid"
    try:
        socket.getaddrinfo(name, 80)
        probe.breach(f"{name} was resolved")
    except socket.gaierror as error:
        if error.errno in (socket.EAI_AGAIN, socket.EAI_FAIL):
            probe.saw(f"resolve {name}: no name server answers")
        else:
            probe.breach(f"resolve {name}: a name server answered")


def egress_proxy(probe):
    probe.saw("there is no proxy in this sandbox")


def engine_socket(probe):
    """An engine there would be the service's own; programs may not use it either."""
    for path in ("/var/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock"):
        probe.must_fail(f"connect to {path}", lambda: connect_unix(path))


def host_sockets(probe):
    """The user's computer counts arrivals as well."""
    for path in TARGETS["hostSockets"]:
        probe.must_fail(f"connect to {path}", lambda: connect_unix(path))
    for name in TARGETS["abstractSockets"]:
        probe.must_fail(f"connect to @{name}", lambda: connect_unix("\0" + name))


def connect_unix(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(PATIENCE)
        sock.connect(address)


def processes():
    return [name for name in os.listdir("/proc") if name.isdigit()]


def host_processes(probe):
    marker = TARGETS["victimMarker"].encode()
    for pid in processes():
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if marker in file.read():
                    probe.breach(f"process {pid} belongs to the user's computer")
        except OSError as error:
            probe.saw(f"process {pid}: {errno.errorcode.get(error.errno)}")
    probe.saw("looked at every process in /proc")


def signal_and_trace(probe):
    """The app checks that its process survives. A process here may have the same number."""
    pid = TARGETS["victimPid"]
    if os.path.exists(f"/proc/{pid}"):
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if TARGETS["victimMarker"].encode() not in file.read():
                probe.saw(f"process {pid} belongs to this machine")
                return
    probe.must_fail(f"kill process {pid}", lambda: os.kill(pid, signal.SIGKILL))


def host_environment(probe):
    allowed = set(TARGETS["allowedEnvironment"])
    for name in sorted(os.environ):
        if name in allowed or name == "RES_OPTIONS":
            probe.saw(name)
        else:
            probe.breach(f"the app did not set the variable {name}")


def namespaces(probe):
    """The kernel must not be that of the user's computer: a separate machine, not a container here."""
    with open("/proc/sys/kernel/random/boot_id") as file:
        own = file.read().strip()
    if own == TARGETS["bootId"]:
        probe.breach("this is the kernel of the user's computer")
    else:
        probe.saw("the kernel was started separately")


def raw_devices(probe):
    for path in ("/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/dm-0", "/dev/loop0"):
        probe.must_fail(f"open {path}", lambda: open_for(path, os.O_RDWR))


def kernel_interfaces(probe):
    for path in ("/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
                 "/sys/kernel/uevent_helper", "/sys/power/state"):
        probe.must_fail(f"open {path} for writing", lambda: open_for(path, os.O_WRONLY))
    probe.must_fail("read /proc/kcore", lambda: open_for("/proc/kcore", os.O_RDONLY))


def privileges(probe):
    """Limits, and stopping all programs, rely on every program staying one ordinary user."""
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    for name, value in {"CapPrm": "0" * 16, "CapEff": "0" * 16, "CapAmb": "0" * 16, "NoNewPrivs": "1"}.items():
        if status[name].strip() == value:
            probe.saw(f"{name} {value}")
        else:
            probe.breach(f"{name} is {status[name].strip()}")
    if os.getuid() == 0:
        probe.breach("programs run as root")
    probe.must_fail("become root", lambda: os.setuid(0) if os.getuid() != 0 else os.setuid(12345))


def descriptors(probe):
    """The shell must not inherit anything that the machine's daemon has open."""
    folder = f"/proc/{os.getppid()}/fd"
    harmless = ("pipe:", "socket:", "anon_inode:", "/dev/null", "/dev/pts/", "/proc/", TARGETS["workspace"], TARGETS["scriptDir"])
    for name in os.listdir(folder):
        try:
            target = os.readlink(os.path.join(folder, name))
        except FileNotFoundError:
            continue  # The descriptor of this listing.
        if target.startswith(harmless):
            probe.saw(f"{name}: {target}")
        else:
            probe.breach(f"descriptor {name} is {target}")


PROBES = (write_outside, mounts, read_secret, connect_loopback, connect_public, resolve_names, egress_proxy, engine_socket,
          host_sockets, host_processes, signal_and_trace, host_environment, namespaces, raw_devices,
          kernel_interfaces, privileges, descriptors)

print_report(PROBES)
