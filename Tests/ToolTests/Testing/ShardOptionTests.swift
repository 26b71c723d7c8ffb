import Testing
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudyTool

@Suite struct ShardOptionTests {
  @Test(
    "reads which machine this is from what its system sets",
    arguments: [
      (["UNDERSTUDY_SHARD": "2/8"], "2/8 by UNDERSTUDY_SHARD=2/8"),
      (
        ["GITLAB_CI": "true", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "8"],
        "2/8 by CI_NODE_INDEX=2 and CI_NODE_TOTAL=8"
      ),
      (["GITLAB_CI": "true", "CI_NODE_TOTAL": "1"], "1/1 by CI_NODE_TOTAL=1"),
      (
        ["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"],
        "1/4 by CIRCLE_NODE_INDEX=0 and CIRCLE_NODE_TOTAL=4"
      ),
      (
        ["BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4"],
        "4/4 by BUILDKITE_PARALLEL_JOB=3 and BUILDKITE_PARALLEL_JOB_COUNT=4"
      ),
      (
        ["JOB_COMPLETION_INDEX": "1", "UNDERSTUDY_SHARD_COUNT": "3"],
        "2/3 by JOB_COMPLETION_INDEX=1 and UNDERSTUDY_SHARD_COUNT=3"
      ),
      // The user's word counts before what her system says.
      (
        ["UNDERSTUDY_SHARD": "1/2", "CIRCLE_NODE_INDEX": "9", "CIRCLE_NODE_TOTAL": "4"],
        "1/2 by UNDERSTUDY_SHARD=1/2"
      ),
      // Both say the same.
      (
        [
          "CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "3", "JOB_COMPLETION_INDEX": "1",
          "UNDERSTUDY_SHARD_COUNT": "3",
        ],
        "2/3 by CIRCLE_NODE_INDEX=1 and CIRCLE_NODE_TOTAL=3"
      ),
    ])
  func found(variables: [String: String], words: String) throws {
    let found = try ShardFromEnvironment(variables)
    #expect("\(found.shard) by \(found.words)" == words)
  }

  @Test(
    "refuses what says half of it, or nothing, or two things",
    arguments: [
      (
        [:],
        "no environment variable with the shard of this machine",
        "write --shard 2/8, or set UNDERSTUDY_SHARD=2/8"
      ),
      // Heroku CI, which counts from 0.
      (
        ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"],
        "no environment variable with the shard of this machine",
        "write --shard 2/8, or set UNDERSTUDY_SHARD=2/8"
      ),
      (
        ["UNDERSTUDY_SHARD": "9/8"],
        "found \"9/8\" in UNDERSTUDY_SHARD, expected a shard such as 2/8", nil
      ),
      (
        ["JOB_COMPLETION_INDEX": "0"],
        "JOB_COMPLETION_INDEX=0 is set without UNDERSTUDY_SHARD_COUNT",
        "set UNDERSTUDY_SHARD_COUNT too, or write --shard 2/8"
      ),
      (
        ["GITLAB_CI": "true", "CI_NODE_TOTAL": "2"],
        "CI_NODE_TOTAL=2 is set without CI_NODE_INDEX",
        "set CI_NODE_INDEX too, or write --shard 2/8"
      ),
      (
        ["GITLAB_CI": "true", "CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"],
        "found CI_NODE_INDEX=0 and CI_NODE_TOTAL=2, expected an index of at least 1 and a count not"
          + " below it",
        "correct them, or write --shard 2/8"
      ),
      (
        ["CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "2"],
        "found CIRCLE_NODE_INDEX=2 and CIRCLE_NODE_TOTAL=2, expected an index of at least 0 and a count"
          + " above it",
        "correct them, or write --shard 2/8"
      ),
      (
        ["BUILDKITE_PARALLEL_JOB": "9223372036854775807", "BUILDKITE_PARALLEL_JOB_COUNT": "two"],
        "found BUILDKITE_PARALLEL_JOB=9223372036854775807 and BUILDKITE_PARALLEL_JOB_COUNT=two,"
          + " expected an index of at least 0 and a count above it",
        "correct them, or write --shard 2/8"
      ),
      (
        [
          "CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "3", "JOB_COMPLETION_INDEX": "0",
          "UNDERSTUDY_SHARD_COUNT": "3",
        ],
        "shard 2/3 by CIRCLE_NODE_INDEX=1 and CIRCLE_NODE_TOTAL=3, but 1/3 by"
          + " JOB_COMPLETION_INDEX=0 and UNDERSTUDY_SHARD_COUNT=3",
        "choose one: --shard 2/3, or UNDERSTUDY_SHARD=2/3"
      ),
    ] as [([String: String], String, String?)])
  func refused(variables: [String: String], message: String, fix: String?) {
    #expect(throws: Failure(message: message, fix: fix)) {
      try ShardFromEnvironment(variables)
    }
  }
}
