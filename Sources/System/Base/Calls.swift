#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The C library's functions whose names our types use for their own.

func systemClose(_ descriptor: Int32) { close(descriptor) }

func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawPointer?, _ byteCount: Int) -> Int {
  // SAFETY: like the two below, uses only as many bytes as the caller's pointer has.
  read(descriptor, room, byteCount)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ byteCount: Int) -> Int {
  write(descriptor, bytes, byteCount)
}

func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

func systemConnect(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ byteCount: socklen_t
) -> Int32 {
  connect(descriptor, address, byteCount)
}

func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }

/// Whether the signal was sent.
@discardableResult
func systemKill(_ process: Int32, _ signal: Int32) -> Bool { kill(process, signal) == 0 }

func systemExit(_ code: Int32) -> Never { exit(code) }
