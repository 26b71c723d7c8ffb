import UnderstudyShowcase
import UnderstudyTool

await Understudy.main(consumers: Showcase.consumers, commands: Showcase.commands)
