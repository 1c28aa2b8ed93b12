"""A Spark job: mbox files (or whatever `sevenbit.lake` reads) to Parquet, and what was odd in them as a plot.

pip install './python[spark]' matplotlib
python examples/python/spark_report.py corpus/mailboxes mail.parquet report.png

On a cluster: spark-submit the same file, with paths of its store (s3a:// for Spark, s3:// with s3fs for this source).
"""

import os
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

import matplotlib
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, explode

from sevenbit.spark import MailSource

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(mail: str, parquet: str, picture: str) -> None:
    spark = SparkSession.builder.appName("mail").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    spark.dataSource.register(MailSource)
    columns = "path,offset,message_id,date,from,subject,text,codes,changed,octets,error"
    spark.read.format("mail").option("columns", columns).load(mail).write.mode("overwrite").parquet(parquet)

    table = spark.read.parquet(parquet)
    messages, broken = table.count(), table.where(col("error").isNotNull()).count()
    codes = table.select(explode("codes").alias("code")).groupBy("code").count().orderBy(col("count").desc())
    found = [(row["code"], row["count"]) for row in codes.limit(15).collect()][::-1]
    spark.stop()

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    axes.barh([code for code, _ in found], [100 * count / messages for _, count in found], color="#4878a8")
    axes.set_xlabel("messages, %")
    axes.set_title(f"What was odd in {messages:,} messages ({broken} could not be read)")
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
