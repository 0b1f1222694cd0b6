import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { monthOfPartition, startOfMonth } from '../messages/message-partitions';

const end = gauge(
  'message_partitions_end_timestamp_seconds',
  'When the last month ends that the messages table has a part for, in Unix seconds; 0 when it has none',
);

const LIST_PARTITIONS = `
  SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'messages'::regclass`;

/** Publishes how far ahead the messages table has partitions. Every process reports the same value. */
@Injectable()
export class PartitionMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'partition-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    const parts = await query<{ name: string }>(this.dataSource, LIST_PARTITIONS, []);
    const ends = parts.flatMap(({ name }) => {
      const month = monthOfPartition(name);
      return month ? [startOfMonth(month, 1).getTime() / 1_000] : [];
    });
    end.set(Math.max(0, ...ends));
  }
}
