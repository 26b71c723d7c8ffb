package import UnderstudyJSON

extension Schema {
  package init(
    compiling value: JSONValue, options: Options = Options(), resolver: SchemaResolver? = nil
  ) throws(SchemaError) {
    let compiler = SchemaCompiler(options: options, resolver: resolver)
    self.options = options
    program = try compiler.compile(value)
    warnings = compiler.warnings
    source = value
  }
}
