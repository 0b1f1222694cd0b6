import { board, HERE, OF_SERVICE } from './panels';

export const processesBoard = board(
  'processes',
  'Processes',
  'Resource usage and version of each process, and the state of its loops.',
  [
    {
      height: 5,
      panels: [
        {
          title: 'Processes',
          description: 'Processes of the selected services.',
          unit: 'none',
          query: `count(switchboard_build_info{${OF_SERVICE}}) or vector(0)`,
          alerts: ['ServiceMissing'],
        },
        {
          title: 'Versions',
          description: 'More than one: a rollout is in progress or incomplete.',
          unit: 'none',
          query: `count(count by (version) (switchboard_build_info{${OF_SERVICE}})) or vector(0)`,
          bad: [{ at: 2, colour: 'orange' }],
        },
        {
          title: 'Rate limits shared',
          description: 'No: gateway replicas do not share rate limits, so a client gets the limit of each replica.',
          unit: 'bool_yes_no',
          query: `min(switchboard_rate_limit_shared{${HERE}})`,
          alerts: ['RateLimitNotShared'],
        },
        {
          title: 'Certificate expires',
          description: 'The certificate that the gateway itself serves. Empty where a proxy terminates TLS.',
          unit: 'dateTimeFromNow',
          query: `min(switchboard_tls_certificate_expiry_timestamp_seconds{${HERE}}) * 1000`,
          none: 'no TLS here',
          alerts: ['CertificateExpires'],
        },
      ],
    },
    {
      heading: 'Resource usage',
      panels: [
        {
          title: 'CPU',
          description: 'Cores used by each process. A process rarely uses more than one.',
          unit: 'short',
          queries: [
            [
              `sum by (job, instance) (rate(process_cpu_seconds_total{${OF_SERVICE}}[$__rate_interval]))`,
              '{job} {instance}',
            ],
          ],
          bad: [{ at: 0.9, colour: 'orange' }],
        },
        {
          title: 'Memory',
          description: 'Resident memory. Growth that never levels off is a leak.',
          unit: 'bytes',
          queries: [[`sum by (job, instance) (process_resident_memory_bytes{${OF_SERVICE}})`, '{job} {instance}']],
        },
        {
          title: 'Event loop lag, p99',
          description: 'Sampled every 0.1 s, so 0.1 s means no lag. A higher value means that one core is not enough.',
          unit: 's',
          queries: [[`max by (job, instance) (nodejs_eventloop_lag_p99_seconds{${OF_SERVICE}})`, '{job} {instance}']],
          bad: [{ at: 0.25, colour: 'orange' }],
        },
      ],
    },
    {
      heading: 'Health',
      panels: [
        {
          title: 'Unreachable dependencies',
          description: 'Processes that report an unreachable dependency.',
          unit: 'short',
          queries: [
            [`count by (job, dependency) (switchboard_dependency_up{${OF_SERVICE}} == 0)`, '{job} {dependency}'],
          ],
          bad: [{ at: 1 }],
          alerts: ['DependencyAway'],
        },
        {
          title: 'Missed loop iterations',
          description:
            'Time since the last success, in periods of the loop. Stalled: three periods and at least 15 minutes.',
          unit: 'short',
          queries: [
            [
              `topk(10, max by (job, loop) (((time() - switchboard_loop_last_success_timestamp_seconds{${OF_SERVICE}}) > 60) / switchboard_loop_every_seconds{${OF_SERVICE}}))`,
              '{job} {loop}',
            ],
          ],
          bad: [{ at: 3 }],
          alerts: ['LoopStalled'],
        },
        {
          title: 'Restarts',
          description: 'Processes started within the last hour: rollouts, and restarts of hung processes.',
          unit: 'short',
          queries: [[`sum by (job) (changes(process_start_time_seconds{${OF_SERVICE}}[1h]))`, '{job}']],
          isSum: true,
        },
      ],
    },
  ],
);
