"""Makes up events of GitHub, the same ones for the same seed.

python generate.py FILE [--events N] [--seed N]

One event a line, as JSON, with the 25 columns of the table `github` in github.sql. What an event of
its kind has not is there as the column's default: an empty text, 0, `none`, an empty array, the
first second of 1970. A few people and repositories are in most of the events.
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Event = dict[str, object]

# How often each kind comes, of a thousand.
KINDS = {
    "PushEvent": 480,
    "CreateEvent": 130,
    "WatchEvent": 100,
    "PullRequestEvent": 75,
    "IssueCommentEvent": 70,
    "DeleteEvent": 35,
    "IssuesEvent": 30,
    "ForkEvent": 25,
    "PullRequestReviewCommentEvent": 20,
    "PullRequestReviewEvent": 15,
    "GollumEvent": 5,
    "ReleaseEvent": 5,
    "CommitCommentEvent": 4,
    "MemberEvent": 4,
    "PublicEvent": 2,
}
ACTIONS = {
    "WatchEvent": ("started",),
    "PullRequestEvent": ("opened", "closed", "reopened", "synchronize", "labeled", "assigned"),
    "IssuesEvent": ("opened", "closed", "reopened", "labeled", "unlabeled", "assigned"),
    "IssueCommentEvent": ("created", "edited", "deleted"),
    "PullRequestReviewCommentEvent": ("created",),
    "PullRequestReviewEvent": ("created",),
    "CommitCommentEvent": ("created",),
    "ReleaseEvent": ("published",),
    "MemberEvent": ("added",),
    "ForkEvent": ("fork",),
}
COMMENTS = {"IssueCommentEvent", "PullRequestReviewCommentEvent", "CommitCommentEvent"}
ISSUES = {"IssuesEvent", "IssueCommentEvent"}
PULL_REQUESTS = {"PullRequestEvent", "PullRequestReviewCommentEvent", "PullRequestReviewEvent"}
LABELS = (
    "bug",
    "feature",
    "help wanted",
    "good first issue",
    "docs",
    "performance",
    "can't repeat",
)
BRANCHES = ("main", "master", "develop", "release", "gh-pages", "feature/cache", "fix/时区", "deps")
WORDS = ("fix", "add", "drop", "parser", "reader", "cache", "test", "of", "slow", "the", "“quotes”")
SYLLABLES = ("an", "bo", "ce", "dar", "el", "fin", "go", "ha", "ir", "jo", "ka", "lu", "mi", "no")
PEOPLE, REPOSITORIES = 20_000, 5_000
START = datetime(2019, 9, 23, 11)
PER_SECOND = 20
NEVER = "1970-01-01 00:00:00"
EMPTY: Event = {
    "file_time": NEVER,
    "event_type": "Event",
    "actor_login": "",
    "repo_name": "",
    "created_at": NEVER,
    "updated_at": NEVER,
    "action": "none",
    "comment_id": 0,
    "path": "",
    "ref": "",
    "ref_type": "none",
    "creator_user_login": "",
    "number": 0,
    "title": "",
    "labels": [],
    "state": "none",
    "assignee": "",
    "assignees": [],
    "closed_at": NEVER,
    "merged_at": NEVER,
    "merge_commit_sha": "",
    "requested_reviewers": [],
    "merged_by": "",
    "review_comments": 0,
    "member_login": "",
}


class GitHub:
    """People who work on repositories."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 — events, no secrets
        self.people = [self.login(number) for number in range(PEOPLE)]
        self.repositories = [
            f"{self.anyone()}/{self.random.choice(WORDS[:7])}-{number}"
            for number in range(REPOSITORIES)
        ]

    def events(self, count: int) -> Iterator[Event]:
        """So many events, in the order of their time."""
        names, weights = list(KINDS), list(accumulate(KINDS.values()))
        kinds = self.random.choices(names, cum_weights=weights, k=count)
        at = START
        for number, kind in enumerate(kinds):
            if number % PER_SECOND == 0:
                at = START + timedelta(seconds=number // PER_SECOND)
                now, hour = str(at), str(at.replace(minute=0, second=0))
            yield EMPTY | {
                "file_time": hour,
                "event_type": kind,
                "actor_login": self.anyone(),
                "repo_name": self.of(self.repositories),
                "created_at": now,
                "action": self.random.choice(ACTIONS.get(kind, ("none",))),
                **self.details(kind, now),
            }

    def details(self, kind: str, now: str) -> Event:
        """What events of this kind have and others have not."""
        if kind in ISSUES or kind in PULL_REQUESTS:
            return self.discussion(kind, now)
        if kind == "CommitCommentEvent":
            return self.comment(kind, now)
        if kind in ("CreateEvent", "DeleteEvent"):
            ref_type = self.random.choice(("branch", "tag", "repository")[: 2 + (kind[0] == "C")])
            name = "" if ref_type == "repository" else self.random.choice(BRANCHES)
            return {"ref": name, "ref_type": ref_type}
        if kind == "PushEvent":
            return {"ref": f"refs/heads/{self.random.choice(BRANCHES)}", "ref_type": "branch"}
        return {"member_login": self.anyone()} if kind == "MemberEvent" else {}

    def discussion(self, kind: str, now: str) -> Event:
        """An issue or a pull request, and what was said of it."""
        closed = self.random.random() < 0.4
        assignees = self.several(self.people, 2)
        event: Event = {
            "updated_at": now,
            "creator_user_login": self.anyone(),
            "number": 1 + int(self.random.random() * 50_000),
            "title": " ".join(self.random.choices(WORDS, k=5)),
            "labels": self.several(LABELS, 3),
            "state": "closed" if closed else "open",
            "assignee": assignees[0] if assignees else "",
            "assignees": assignees,
            "closed_at": now if closed else NEVER,
        }
        if kind in COMMENTS:
            event |= self.comment(kind, now)
        if kind in PULL_REQUESTS:
            event |= {
                "requested_reviewers": self.several(self.people, 3),
                "review_comments": int(self.random.random() * 20),
            }
            if closed and self.random.random() < 0.8:
                sha = f"{self.random.getrandbits(160):040x}"
                event |= {"merged_at": now, "merge_commit_sha": sha, "merged_by": self.anyone()}
        return event

    def comment(self, kind: str, now: str) -> Event:
        """Where a comment stands."""
        in_a_file = kind != "IssueCommentEvent"
        path = f"src/{self.random.choice(SYLLABLES)}/{self.random.choice(WORDS[:7])}.cpp"
        return {
            "updated_at": now,
            "comment_id": 530_000_000 + self.random.getrandbits(34),
            "path": path if in_a_file else "",
        }

    def anyone(self) -> str:
        """A login; those at the front are seen most."""
        return self.of(self.people)

    def of(self, names: list[str]) -> str:
        """One of them; half of the time one of the first eighth."""
        return names[int(self.random.random() ** 3 * len(names))]

    def several(self, names: list[str] | tuple[str, ...], most: int) -> list[str]:
        """None, or a few different ones."""
        count = max(0, int(self.random.random() * 2 * (most + 1)) - most - 1)
        return self.random.sample(names, count) if count else []

    def login(self, number: int) -> str:
        """A name of syllables that nobody else has."""
        return "".join(self.random.choices(SYLLABLES, k=3)) + str(number)


def lines(count: int, seed: int) -> Iterator[str]:
    """So many events, each a line."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return (f"{encode(event)}\n" for event in GitHub(seed).events(count))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with given.file.open("w", encoding="utf-8") as file:
        file.writelines(lines(given.events, given.seed))


if __name__ == "__main__":
    main()
