"""What the command line of Spark's process shows to everybody on the machine."""

from __future__ import annotations

from pyspark import SparkConf

from penstock.spark.session import _seen_by_all


def test_passwords_do_not_stand_in_it() -> None:
    conf = SparkConf(loadDefaults=False)
    conf.setAll([("spark.hadoop.fs.s3a.secret.key", "hush"), ("spark.driver.memory", "2g")])
    assert _seen_by_all(conf).getAll() == [("spark.driver.memory", "2g")]
    assert conf.get("spark.hadoop.fs.s3a.secret.key") == "hush"
