import UnderstudyTool

Understudy.main()
