import UnderstudyModels

/// The screen of an app.
struct Screen: Hashable, Sendable {
  struct Alert: Hashable, Sendable {
    let title: String
    var message: String?
    /// The title of its button.
    let button: String
  }

  let title: String
  var lines: [String] = []
  var isLoading = false
  var alert: Alert?
  /// The actions of keys, in display order; `q` always quits.
  var keys: [(key: String, action: String)] = []

  static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Without the actions of keys.
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

/// An article's app: a model, and its state as text.
@MainActor
protocol App<Model>: AnyObject {
  associatedtype Model: StatefulModel
  var model: Model { get }
  /// Runs the first load to its end.
  func appear() async
  func screen(of state: Model.State) -> Screen
  func press(_ key: Character) async
}

extension App {
  var screen: Screen { screen(of: model.state) }

  /// Shows the app on a terminal, or else prints its final screen.
  ///
  /// - Returns: whether it ended without an alert.
  func run(on console: any Console) async -> Bool {
    if console.isInteractive { await serve(on: console) } else { await write(to: console) }
    return screen.alert == nil
  }

  private func write(to console: any Console) async {
    var start = Screen(title: screen.title)
    start.isLoading = true
    console.write((["\(start.title)"] + start.plainLines).map { $0.harmless + "\n" }.joined())
    await appear()
    console.write(screen.plainLines.map { $0.harmless + "\n" }.joined())
  }

  private func serve(on console: any Console) async {
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
  /// Upstream text must not control the terminal.
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
