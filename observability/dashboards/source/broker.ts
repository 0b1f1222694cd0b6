import { board, HERE, OF_SERVICE, rateBy } from './panels';

export const brokerBoard = board(
  'broker',
  'Broker and outbox',
  'Messages between the services: backlogs and outcomes.',
  [
    {
      heading: 'Outbox',
      panels: [
        {
          title: 'Oldest outbox message',
          description: 'Usually less than a second.',
          unit: 's',
          queries: [[`max by (job) (switchboard_outbox_oldest_seconds{${OF_SERVICE}})`, '{job}']],
          bad: [{ at: 60 }],
          alerts: ['OutboxOld'],
        },
        {
          title: 'Outbox messages',
          description: 'A falling value means that the service is catching up after an outage.',
          unit: 'short',
          queries: [[`max by (job) (switchboard_outbox_pending{${OF_SERVICE}})`, '{job}']],
          alerts: ['OutboxOld'],
        },
        {
          title: 'Outbox publishes by outcome',
          description: 'Refused: a queue or a permission is missing. The messages stay in the outbox and are retried.',
          unit: 'ops',
          queries: [[rateBy('outcome', 'switchboard_outbox_messages_total'), '{outcome}']],
          isSum: true,
          alerts: ['OutboxOld'],
        },
      ],
    },
    {
      heading: 'Queues',
      panels: [
        {
          title: 'Queue length',
          description: 'The ten longest queues.',
          unit: 'short',
          queries: [[`topk(10, max by (queue) (switchboard_queue_messages{${OF_SERVICE}}))`, '{queue}']],
          bad: [{ at: 1_000 }],
          alerts: ['QueueGrowing'],
        },
        {
          title: 'Dead letters',
          description: 'Messages that no handler could process. An operator has to investigate.',
          unit: 'short',
          queries: [[`max by (queue) (switchboard_dead_letters{${OF_SERVICE}}) > 0`, '{queue}']],
          bad: [{ at: 1 }],
          alerts: ['DeadLetters'],
        },
        {
          title: 'Consumers paused for the database',
          description: 'Yes: tasks and events stay at the broker meanwhile; nothing is lost.',
          unit: 'bool_yes_no',
          queries: [[`max by (job) (switchboard_broker_tasks_paused{${OF_SERVICE}})`, '{job}']],
          most: 1,
          alerts: ['DependencyAway'],
        },
      ],
    },
    {
      heading: 'Handlers',
      panels: [
        {
          title: 'Deliveries by outcome',
          description: 'Refused: the request was invalid. Failed: internal error; tasks and events are retried.',
          unit: 'ops',
          queries: [[rateBy('outcome', 'switchboard_broker_deliveries_total'), '{outcome}']],
          isSum: true,
          alerts: ['DeadLetters'],
        },
        {
          title: 'Failures by contract',
          description: 'The log of the service names the error.',
          unit: 'ops',
          queries: [
            [
              `topk(10, ${rateBy('contract', 'switchboard_broker_deliveries_total', `${OF_SERVICE},outcome=~"failed|dead_lettered"`)} > 0)`,
              '{contract}',
            ],
          ],
          alerts: ['DeadLetters'],
        },
        {
          title: 'Slowest handlers',
          description: '90th percentile of the ten slowest contracts.',
          unit: 's',
          queries: [
            [
              `topk(10, histogram_quantile(0.9, sum by (le, contract) (rate(switchboard_broker_handler_seconds_bucket{${OF_SERVICE}}[$__rate_interval]))))`,
              '{contract}',
            ],
          ],
          alerts: ['QueueGrowing'],
        },
      ],
    },
    {
      heading: 'RabbitMQ (plugin rabbitmq_prometheus)',
      panels: [
        {
          title: 'Alarms',
          description: 'Yes: RabbitMQ blocks all publishers until the alarm clears.',
          unit: 'bool_yes_no',
          queries: [
            [`max(rabbitmq_alarms_memory_used_watermark{${HERE}})`, 'memory'],
            [`max(rabbitmq_alarms_free_disk_space_watermark{${HERE}})`, 'disk'],
            [`max(rabbitmq_alarms_file_descriptor_limit{${HERE}})`, 'file descriptors'],
          ],
          most: 1,
          alerts: ['BrokerAlarm'],
        },
        {
          title: 'Memory',
          description: 'Per node.',
          unit: 'bytes',
          queries: [[`sum by (instance) (rabbitmq_process_resident_memory_bytes{${HERE}})`, '{instance}']],
          alerts: ['BrokerAlarm'],
        },
      ],
    },
  ],
);
