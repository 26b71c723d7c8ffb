@testable import UnderstudyTool

extension HelpPageTests {
  static let call = """
    Calls one of our services and prints what it gives.

    Usage: understudy call [OPTIONS] SERVICE [ARGUMENT...]

    The quickest way to see the whole chain work: contract, server, client and
    service. Without --base-url it asks the live API; restaurants have none.

    With --format json the value is printed as contracts write it under "expect": an
    array of objects for dogs (url, name), listings (id, sellerID, about, birthday,
    breed, breederRating, cost, created, imageURL, name) and repos (name, fullName,
    description, stars, language), one object for jokes (id, type, setup, punchline)
    and restaurants (restaurants and favorites, each an array). What is not there is
    null.

    Arguments:
      SERVICE   What to call. One of dogs, jokes, listings, repos or restaurants.
      ARGUMENT  How many dogs, the number of a joke, or the organisations whose
                repositories to list. May be given more than once.

    Options:
          --base-url URL   Where the upstream is. Without it: its live API.
          --timeout TIME   How long each request may take. Without it: 30s.
          --format FORMAT  How to print the result. One of text or json. Without it:
                           text.
      -h, --help           Show this help.

    Environment:
      UNDERSTUDY_GITHUB_TOKEN  A token that repos shows to GitHub itself, and never
                               with --base-url.

    Examples:
      understudy call jokes --base-url http://127.0.0.1:8080/joke
          Get a joke from the server that "understudy serve" started.
      understudy call dogs 5 --base-url http://127.0.0.1:8080/dog-ceo --format json
          Get dogs for another program.

    Exit codes:
      0  The service has given a value.
      1  The upstream answered, but not as the service needs it.
      2  Could not run: wrong usage.
      3  There was no whole answer, or the upstream was asked too often.

    """
}
