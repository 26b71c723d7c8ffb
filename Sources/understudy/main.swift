import UnderstudyTool

Understudy.main(consumers: [])
