"""Random cases on a file with Lockstep and on its twin with plain views, which must answer alike.

stranger.py LOCKSTEP FOLDER [--seed N] [--rounds N | --seconds N] [--rival]

A second generator beside the differential test, which knows nothing of it: other schemas, other queries,
programs without the extension, and reads as people write them. Each case is a process of its own,
so that a crash is told, too. Prints the seed, and exits with 1 at the first difference, after it
has shrunk the case and printed it as SQL. With --rival views are copies that nothing keeps up to date,
which must be found out.
"""

import argparse
import collections
import json
import os
import signal
import sys
import time

from case import Case, nameless
from player import Found, Player
from shrink import Shrinker, script

SECONDS_OF_A_CASE = 300
SECONDS_TO_SHRINK = 45


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("lockstep", help="the extension, without its suffix")
    parser.add_argument("folder", help="where to put the databases")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first case")
    parser.add_argument("--rounds", type=int, help="how many cases")
    parser.add_argument("--seconds", type=float, help="how long, unless --rounds says")
    parser.add_argument("--rival", action="store_true", help="stale copies for views")
    return parser.parse_args()


def play(options, seed):
    """What there is to tell of a case."""
    path = os.path.join(options.folder, "case.sql")
    case = Case(options.folder, options.lockstep, options.rival)
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as steps:

        def note(step):
            steps.write(script(step))
            steps.flush()

        player = Player(seed, case, note)
        difference = None
        try:
            player.play()
        except Found as found:
            difference = found.difference
    told = {
        "views": player.made,
        "compared": case.compared,
        "refused": player.refused,
        "excused": case.excused,
    }
    if difference:
        case.close()
        shrinker = Shrinker(
            options.folder, options.lockstep, options.rival, difference.kind, SECONDS_TO_SHRINK
        )
        small = "".join(map(script, shrinker.shrunk(player.steps)))
        difference = shrinker.difference or difference
        told["fault"] = f"{small}-- {difference.kind}: {difference.sql}\n-- {difference.detail}"
    case.close()
    return told


def played(options, seed):
    """As `play`, in a process of its own: a crash is a fault as well."""
    answers, ends = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS_OF_A_CASE)
        with os.fdopen(ends, "w") as pipe:
            json.dump(play(options, seed), pipe)
            pipe.flush()
            os._exit(0)
    os.close(ends)
    with os.fdopen(answers) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    if status == 0:
        return json.loads(text)
    with open(os.path.join(options.folder, "case.sql"), encoding="utf-8") as steps:
        return {"fault": f"{steps.read()}-- ended with status {status} there"}


def main():
    options = arguments()
    os.makedirs(options.folder, exist_ok=True)
    print("seed", options.seed, flush=True)
    totals, refused, excused, cases = (collections.Counter() for _ in range(4))
    examples = {}
    began = time.time()
    rounds = options.rounds or (sys.maxsize if options.seconds else 100)
    for seed in range(options.seed, options.seed + rounds):
        if not options.rounds and options.seconds and time.time() - began > options.seconds:
            break
        told = played(options, seed)
        if "fault" in told:
            print(told["fault"])
            print(f"FAIL --seed {seed} --rounds 1")
            return 1
        totals.update(cases=1, views=told["views"], comparisons=told["compared"])
        for why, query in told["refused"]:
            refused[nameless(why)] += 1
            examples.setdefault(nameless(why), []).append(query)
        excused.update(told["excused"])
        cases.update(told["excused"].keys())
    if sum(refused.values()) > totals["views"]:
        print("FAIL: most views are refused:", refused.most_common(1))
        return 1
    print(", ".join(f"{count} {what}" for what, count in totals.items()))
    for what, count in refused.most_common():
        print(f"refused {count:6} {what}, as {min(examples[what], key=len)}")
    for what, count in excused.most_common():
        print(f"not reported {count:6} in {cases[what]} cases: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
