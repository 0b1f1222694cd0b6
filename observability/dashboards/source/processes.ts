import { board, HERE, OF_SERVICE } from './kit';

export const processesBoard = board(
  'processes',
  'Processes',
  'What each process uses, which version it is, and whether its loops turn.',
  [
    {
      height: 5,
      panels: [
        {
          title: 'Processes',
          description: 'Of the chosen services.',
          unit: 'none',
          query: `count(switchboard_build_info{${OF_SERVICE}}) or vector(0)`,
          alerts: ['ServiceMissing'],
        },
        {
          title: 'Versions',
          description: 'More than one: a rollout is under way, or was left half done.',
          unit: 'none',
          query: `count(count by (version) (switchboard_build_info{${OF_SERVICE}})) or vector(0)`,
          bad: [{ at: 2, colour: 'orange' }],
        },
        {
          title: 'Rate limits shared',
          description: 'No: several gateways count the requests of a client each for itself.',
          unit: 'bool_yes_no',
          query: `min(switchboard_rate_limit_shared{${HERE}})`,
          alerts: ['RateLimitNotShared'],
        },
        {
          title: 'Certificate expires',
          description: 'The one that a gateway itself serves; nothing where a proxy does.',
          unit: 'dateTimeFromNow',
          query: `min(switchboard_tls_certificate_expiry_timestamp_seconds{${HERE}}) * 1000`,
          none: 'no TLS here',
          alerts: ['CertificateExpires'],
        },
      ],
    },
    {
      heading: 'What they use',
      panels: [
        {
          title: 'CPU',
          description: 'Cores that each process uses. One process uses little more than one.',
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
          description: 'Resident. A slope that does not end is a leak.',
          unit: 'bytes',
          queries: [[`sum by (job, instance) (process_resident_memory_bytes{${OF_SERVICE}})`, '{job} {instance}']],
        },
        {
          title: 'Event loop, slowest hundredth',
          description: 'Measured every 0.1 s, so 0.1 s is none. More: the process has more to do than a core can.',
          unit: 's',
          queries: [[`max by (job, instance) (nodejs_eventloop_lag_p99_seconds{${OF_SERVICE}})`, '{job} {instance}']],
          bad: [{ at: 0.25, colour: 'orange' }],
        },
      ],
    },
    {
      heading: 'Whether they work',
      panels: [
        {
          title: 'Dependencies that are away',
          description: 'Processes that say so, by what they do not reach.',
          unit: 'short',
          queries: [
            [`count by (job, dependency) (switchboard_dependency_up{${OF_SERVICE}} == 0)`, '{job} {dependency}'],
          ],
          bad: [{ at: 1 }],
          alerts: ['DependencyAway'],
        },
        {
          title: 'Loops: turns that were missed',
          description:
            'Since the last success, in periods of the loop itself, where it is more than a minute. From three on, and a quarter of an hour, it stands still.',
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
          title: 'Starts',
          description: 'Processes that began within the hour: rollouts, and what was restarted because it hung.',
          unit: 'short',
          queries: [[`sum by (job) (changes(process_start_time_seconds{${OF_SERVICE}}[1h]))`, '{job}']],
          isSum: true,
        },
      ],
    },
  ],
);
