import CommandLineTool

Understudy.main()
