import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetEventCommand,
  type GetEventReply,
  getEventV1,
  ListEventsCommand,
  type ListEventsReply,
  listEventsV1,
  notFound,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { attemptRecord, deliveryRecord, eventRecord } from './event-record';
import { attemptsOf, attemptsUnderWay, deliveriesOf, findEvent, listEventRows } from './log.queries';

@Controller()
export class LogController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(listEventsV1)
  async listEvents(@Payload() filter: ListEventsCommand): Promise<ListEventsReply> {
    const { rows, cutOffAt } = await listEventRows(this.dataSource, filter);
    const page = rows.slice(0, filter.limit);
    const deliveries = await deliveriesOf(
      this.dataSource,
      filter.accountId,
      page.map(({ id }) => id),
    );
    const nextCursor = rows.length > page.length ? (page.at(-1)?.id ?? null) : cutOffAt;
    return { events: page.map((row) => eventRecord(row, deliveries)), nextCursor };
  }

  /** @throws AppError NOT_FOUND */
  @CommandHandler(getEventV1)
  async getEvent(@Payload() { accountId, eventId }: GetEventCommand): Promise<GetEventReply> {
    const row = await findEvent(this.dataSource, accountId, eventId);
    if (!row) throw notFound('event');
    const deliveries = await deliveriesOf(this.dataSource, accountId, [eventId]);
    const ids = deliveries.map(({ id }) => id);
    const attempts = [
      ...(await attemptsOf(this.dataSource, accountId, ids)),
      ...(await attemptsUnderWay(this.dataSource, accountId, ids)),
    ];
    return {
      event: {
        ...eventRecord(row, []),
        body: row.body.toString('utf8'),
        deliveries: deliveries.map((delivery) => ({
          ...deliveryRecord(delivery),
          attempts: attempts
            .filter(({ delivery_id }) => delivery_id === delivery.id)
            .map((attempt) => attemptRecord(attempt, eventId)),
        })),
      },
    };
  }
}
