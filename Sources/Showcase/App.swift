import UnderstudyModels

/// What an app shows at one moment.
struct Screen: Hashable, Sendable {
  struct Alert: Hashable, Sendable {
    let title: String
    var message: String?
    /// Of its button.
    let button: String
  }

  let title: String
  var lines: [String] = []
  var isLoading = false
  var alert: Alert?
  /// What keys do, in the order in which they are shown; `q` quits everywhere.
  var keys: [(key: String, action: String)] = []

  static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Without what only a keyboard can do.
  var plainLines: [String] {
    let alertLines = alert.map { [$0.title] + [$0.message].compactMap(\.self) } ?? []
    return (isLoading ? ["Loading…"] : []) + lines + alertLines
  }

  /// For a terminal.
  var text: String {
    var rows = [title, ""]
    if isLoading { rows += ["Loading…", ""] }
    rows += lines
    if let alert {
      let inner = [alert.title] + [alert.message].compactMap(\.self)
      rows += ["", "  ! " + inner.joined(separator: ": "), "    [ \(alert.button) ]"]
    }
    rows += [
      "", (keys + [("q", "quit")]).map { "\($0.key) \($0.action)" }.joined(separator: "   "),
    ]
    return rows.map { $0.harmless + "\n" }.joined()
  }
}

/// An article's app: a model, and how its state is drawn as text.
@MainActor
protocol App<Model>: AnyObject {
  associatedtype Model: StatefulModel
  var model: Model { get }
  /// What it does when it appears, to the end.
  func appear() async
  func screen(of state: Model.State) -> Screen
  func press(_ key: Character) async
}

extension App {
  var screen: Screen { screen(of: model.state) }

  /// Shows it on a terminal with a keyboard, or else writes down what it shows in the end.
  ///
  /// - Returns: whether it ends without an alert.
  func run(on console: any Console) async -> Bool {
    if console.isInteractive { await play(on: console) } else { await write(to: console) }
    return screen.alert == nil
  }

  private func write(to console: any Console) async {
    var start = Screen(title: screen.title)
    start.isLoading = true
    console.write((["\(start.title)"] + start.plainLines).map { $0.harmless + "\n" }.joined())
    await appear()
    console.write(screen.plainLines.map { $0.harmless + "\n" }.joined())
  }

  private func play(on console: any Console) async {
    let drawing = Task {
      var shown: Screen?
      for await state in model.states {
        let screen = screen(of: state)
        if screen != shown { console.draw(screen.text) }
        shown = screen
      }
    }
    var actions = [Task { await appear() }]
    while let key = await console.nextKey(), key != "q" {
      actions.append(Task { await press(key) })
    }
    for task in actions + [drawing] { task.cancel() }
  }
}

extension String {
  /// What an upstream sends must not steer the terminal.
  var harmless: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
