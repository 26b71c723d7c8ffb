import Foundation

/// An app may have a module of this name, as Understudy has one.
public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
  try? JSONDecoder().decode(type, from: data)
}
