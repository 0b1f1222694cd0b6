import { board, HERE, OF_SERVICE, rateBy } from './kit';

export const brokerBoard = board(
  'broker',
  'Broker and outbox',
  'Messages between the services: where they wait, and what became of them.',
  [
    {
      heading: 'Outbox',
      panels: [
        {
          title: 'Oldest in the outbox',
          description: 'Less than a second as a rule.',
          unit: 's',
          queries: [[`max by (job) (switchboard_outbox_oldest_seconds{${OF_SERVICE}})`, '{job}']],
          bad: [{ at: 60 }],
          alerts: ['OutboxOld'],
        },
        {
          title: 'Messages in the outbox',
          description: 'When it falls, the service works off what an outage left.',
          unit: 'short',
          queries: [[`max by (job) (switchboard_outbox_pending{${OF_SERVICE}})`, '{job}']],
          alerts: ['OutboxOld'],
        },
        {
          title: 'Messages that left the outbox',
          description: 'Refused: a queue or a right is missing. They stay in the outbox and are tried again.',
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
          title: 'Messages in queues',
          description: 'The ten longest.',
          unit: 'short',
          queries: [[`topk(10, max by (queue) (switchboard_queue_messages{${OF_SERVICE}}))`, '{queue}']],
          bad: [{ at: 1_000 }],
          alerts: ['QueueGrowing'],
        },
        {
          title: 'Dead letters',
          description: 'Messages that no handler could take. An operator has to look.',
          unit: 'short',
          queries: [[`max by (queue) (switchboard_dead_letters{${OF_SERVICE}}) > 0`, '{queue}']],
          bad: [{ at: 1 }],
          alerts: ['DeadLetters'],
        },
        {
          title: 'Services that wait for their database',
          description: 'Yes: their tasks and events stay at the broker meanwhile, and nothing is lost.',
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
          title: 'What became of messages',
          description: 'Refused: for what the caller asked. Failed: by us; tasks and events come again.',
          unit: 'ops',
          queries: [[rateBy('outcome', 'switchboard_broker_deliveries_total'), '{outcome}']],
          isSum: true,
          alerts: ['DeadLetters'],
        },
        {
          title: 'Failed, by contract',
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
          description: 'The ten with the slowest tenth.',
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
          description: 'Yes: it takes no message from anybody until the alarm is over.',
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
          description: 'Of each node.',
          unit: 'bytes',
          queries: [[`sum by (instance) (rabbitmq_process_resident_memory_bytes{${HERE}})`, '{instance}']],
          alerts: ['BrokerAlarm'],
        },
      ],
    },
  ],
);
