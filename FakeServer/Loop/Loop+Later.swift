/// Jobs that a loop runs at a later time.
struct LaterJobs {
  private var timers: TimerWheel
  private var jobs: [Mailbox.Job?] = []
  private var free: [Int] = []

  init(now: Int64) { timers = TimerWheel(now: now) }

  var nextTick: Int64? {
    mutating get { timers.nextTick }
  }

  mutating func add(at tick: Int64, _ job: @escaping Mailbox.Job) {
    let number = free.popLast() ?? jobs.count
    if number == jobs.count { jobs.append(job) } else { jobs[number] = job }
    timers.set(number, at: tick)
  }

  mutating func popDue(at tick: Int64) -> Mailbox.Job? {
    guard let number = timers.popDue(at: tick) else { return nil }
    defer { jobs[number] = nil }
    free.append(number)
    return jobs[number]
  }
}

extension Loop {
  /// Runs a job on this thread after a time; it is dropped when the loop ends before.
  mutating func run(after nanoseconds: Int64, _ job: @escaping Mailbox.Job) {
    let deadline = now.addingReportingOverflow(nanoseconds)
    laterJobs.add(at: (deadline.overflow ? .max : deadline.partialValue) / 1_000_000, job)
  }

  mutating func runLaterJobs() {
    let tick = now / 1_000_000
    while let job = laterJobs.popDue(at: tick) { job(&self) }
  }
}
