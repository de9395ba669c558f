"""Carries connections between the programs of this sandbox and the app, over one stream.

Runs inside as one of these programs, with no more rights than they have: the app at the other end
decides about every connection. Listens on loopback, which is this sandbox's own: one port is the proxy
that HTTP_PROXY names, the other takes calls of the `hyperagent` module. The app may also connect to a
port in here, for previews.

Frames: stream id (4 bytes), kind (1), length (4), content. A stream may have WINDOW bytes in flight
in each direction; what was delivered is returned as CREDIT. Programs here open odd ids, the app even ones.

    relay.py FD_IN FD_OUT PROXY_PORT CALL_PORT
"""
import os
import selectors
import socket
import struct
import sys

HELLO, OPEN, DATA, END, RESET, CREDIT = range(6)
HEADER = struct.Struct("!IBI")
WINDOW = 256 * 1024
PIECE = 32 * 1024
MAX_QUEUE = 1024 * 1024
MAX_STREAMS = 128


class Stream:
    def __init__(self, sock):
        self.sock = sock
        self.connecting = False
        self.other = None  # An address to try where nobody listens at the first.
        self.credit = WINDOW  # Bytes that the app still accepts.
        self.pending = bytearray()  # From the app, for the program.
        self.app_ended = False
        self.program_ended = False
        self.interest = 0


class Relay:
    def __init__(self, source, sink, ports):
        self.source, self.sink = source, sink
        self.incoming = bytearray()
        self.queue = bytearray()
        self.streams = {}
        self.next_id = 1
        self.selector = selectors.DefaultSelector()
        self.sink_watched = False
        for descriptor in {source, sink}:
            os.set_blocking(descriptor, False)
        self.selector.register(source, selectors.EVENT_READ, ("channel", None))
        for kind, port in zip((b"P", b"T"), ports):
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            listener.listen(64)
            listener.setblocking(False)
            self.selector.register(listener, selectors.EVENT_READ, ("listener", (listener, kind)))
        self.send(0, HELLO)

    def run(self):
        while True:
            self.flush()
            for stream_id in list(self.streams):
                self.watch(stream_id)
            for key, events in self.selector.select():
                what, detail = key.data
                if what == "listener":
                    self.accept(*detail)
                elif what == "stream":
                    self.serve(detail, events)
                elif events & selectors.EVENT_READ:
                    self.take()

    # The channel

    def send(self, stream_id, kind, content=b""):
        self.queue += HEADER.pack(stream_id, kind, len(content)) + content

    def flush(self):
        while self.queue:
            try:
                del self.queue[:os.write(self.sink, self.queue[:PIECE * 2])]
            except BlockingIOError:
                break
        wanted = bool(self.queue)
        if self.source == self.sink:
            self.selector.modify(self.source, selectors.EVENT_READ | (selectors.EVENT_WRITE if wanted else 0), ("channel", None))
        elif wanted != self.sink_watched:
            self.sink_watched = wanted
            if wanted:
                self.selector.register(self.sink, selectors.EVENT_WRITE, ("channel", None))
            else:
                self.selector.unregister(self.sink)

    def take(self):
        try:
            data = os.read(self.source, PIECE * 4)
        except BlockingIOError:
            return
        if not data:
            sys.exit(0)  # The app is gone, and with it this sandbox.
        self.incoming += data
        at = 0
        while len(self.incoming) - at >= HEADER.size:
            stream_id, kind, length = HEADER.unpack_from(self.incoming, at)
            if len(self.incoming) - at - HEADER.size < length:
                break
            start = at + HEADER.size
            self.handle(stream_id, kind, bytes(self.incoming[start:start + length]))
            at = start + length
        del self.incoming[:at]

    def handle(self, stream_id, kind, content):
        if kind == OPEN:
            self.connect(stream_id, struct.unpack("!H", content)[0])
            return
        stream = self.streams.get(stream_id)
        if stream is None:
            return  # It ended here while this frame was in flight.
        if kind == DATA:
            stream.pending += content
        elif kind == END:
            stream.app_ended = True
        elif kind == RESET:
            self.drop(stream_id)
            return
        elif kind == CREDIT:
            stream.credit += struct.unpack("!I", content)[0]
        self.deliver(stream_id, stream)

    # Streams

    def accept(self, listener, kind):
        try:
            sock, _ = listener.accept()
        except OSError:
            return  # The program is already gone.
        if len(self.streams) >= MAX_STREAMS:
            sock.close()
            return
        stream_id, self.next_id = self.next_id, self.next_id + 2
        self.add(stream_id, sock)
        self.send(stream_id, OPEN, kind)

    def connect(self, stream_id, port):
        self.dial(stream_id, self.add(stream_id, socket.socket()), ("127.0.0.1", port))
        if stream_id in self.streams:
            self.streams[stream_id].other = ("::1", port)

    def dial(self, stream_id, stream, address):
        stream.connecting = True
        error = stream.sock.connect_ex(address)
        if error not in (0, 115, 36):  # In progress, here and on macOS.
            self.reset(stream_id)

    def dial_other(self, stream_id, stream):
        """Some servers listen on IPv6 only."""
        address, stream.other = stream.other, None
        if stream.interest:
            self.selector.unregister(stream.sock)
            stream.interest = 0
        stream.sock.close()
        try:
            stream.sock = socket.socket(socket.AF_INET6)
        except OSError:
            self.reset(stream_id)
            return
        stream.sock.setblocking(False)
        stream.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.dial(stream_id, stream, address)

    def add(self, stream_id, sock):
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream = self.streams[stream_id] = Stream(sock)
        return stream

    def watch(self, stream_id):
        stream = self.streams[stream_id]
        interest = 0
        if not stream.program_ended and not stream.connecting and stream.credit > 0 and len(self.queue) < MAX_QUEUE:
            interest |= selectors.EVENT_READ
        if stream.pending or stream.connecting:
            interest |= selectors.EVENT_WRITE
        if interest == stream.interest:
            return
        if stream.interest == 0:
            self.selector.register(stream.sock, interest, ("stream", stream_id))
        elif interest == 0:
            self.selector.unregister(stream.sock)
        else:
            self.selector.modify(stream.sock, interest, ("stream", stream_id))
        stream.interest = interest

    def serve(self, stream_id, events):
        stream = self.streams.get(stream_id)
        if stream is None:
            return
        if stream.connecting:
            if stream.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0:
                if stream.other is None:
                    self.reset(stream_id)
                else:
                    self.dial_other(stream_id, stream)
                return
            stream.connecting = False
        if events & selectors.EVENT_WRITE:
            self.deliver(stream_id, stream)
        if events & selectors.EVENT_READ and stream_id in self.streams:
            self.collect(stream_id, stream)

    def collect(self, stream_id, stream):
        try:
            data = stream.sock.recv(min(PIECE, stream.credit))
        except BlockingIOError:
            return
        except OSError:
            self.reset(stream_id)
            return
        if data:
            stream.credit -= len(data)
            self.send(stream_id, DATA, data)
            return
        stream.program_ended = True
        self.send(stream_id, END)
        self.close_when_done(stream_id, stream)

    def deliver(self, stream_id, stream):
        if stream.connecting:
            return
        try:
            while stream.pending:
                sent = stream.sock.send(stream.pending[:PIECE])
                del stream.pending[:sent]
                self.send(stream_id, CREDIT, struct.pack("!I", sent))
            if stream.app_ended:
                stream.sock.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            return
        except OSError:
            self.reset(stream_id)
            return
        self.close_when_done(stream_id, stream)

    def close_when_done(self, stream_id, stream):
        if stream.app_ended and stream.program_ended and not stream.pending:
            self.drop(stream_id)

    def reset(self, stream_id):
        self.send(stream_id, RESET)
        self.drop(stream_id)

    def drop(self, stream_id):
        stream = self.streams.pop(stream_id)
        if stream.interest:
            self.selector.unregister(stream.sock)
        stream.sock.close()


if __name__ == "__main__":
    try:
        # So that a program's `pkill python3` does not take the network away.
        with open("/proc/self/comm", "w") as name:
            name.write("relay")
    except OSError:
        pass  # Not every system lets a process name itself.
    Relay(int(sys.argv[1]), int(sys.argv[2]), [int(port) for port in sys.argv[3:5]]).run()
