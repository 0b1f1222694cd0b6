import { board, HERE, OF_SERVICE } from './panels';

const busy = `sum by (job, workload) (switchboard_pg_pool{${OF_SERVICE},state="busy"})`;

export const databaseBoard = board(
  'database',
  'Database',
  'Connections of the pools of each process, and of the server.',
  [
    {
      heading: 'Pools',
      panels: [
        {
          title: 'Callers waiting for a connection',
          description: 'By service and workload. After two seconds a caller gives up with a 503.',
          unit: 'short',
          queries: [
            [`sum by (job, workload) (switchboard_pg_pool{${OF_SERVICE},state="waiting"})`, '{job} {workload}'],
          ],
          bad: [{ at: 1 }],
          alerts: ['DatabasePoolExhausted'],
        },
        {
          title: 'Busy connections, share of pool size',
          description: 'At 100% the next caller waits. DATABASE_…_CONNECTIONS sets the sizes.',
          unit: 'percentunit',
          queries: [[`${busy} / sum by (job, workload) (switchboard_pg_pool_size{${OF_SERVICE}})`, '{job} {workload}']],
          most: 1,
          bad: [{ at: 0.9, colour: 'orange' }],
          alerts: ['DatabasePoolExhausted'],
        },
        {
          title: 'Connections of all pools',
          description: 'Open connections by state.',
          unit: 'short',
          queries: [[`sum by (state) (switchboard_pg_pool{${OF_SERVICE},state=~"busy|idle"})`, '{state}']],
          isSum: true,
        },
      ],
    },
    {
      heading: 'Server (postgres_exporter)',
      panels: [
        {
          title: 'Open connections',
          description: 'All clients, as a share of max_connections. Above 80% a rollout may fail to start.',
          unit: 'percentunit',
          queries: [
            [
              `sum by (instance) (pg_stat_activity_count{${HERE}}) / max by (instance) (pg_settings_max_connections{${HERE}})`,
              '{instance}',
            ],
          ],
          most: 1,
          bad: [{ at: 0.8 }],
          alerts: ['DatabaseConnectionsHigh'],
        },
        {
          title: 'Connections by state',
          description: 'Many connections idle in a transaction hold locks and keep dead rows from being vacuumed.',
          unit: 'short',
          queries: [[`sum by (state) (pg_stat_activity_count{${HERE}})`, '{state}']],
          isSum: true,
          alerts: ['DatabaseConnectionsHigh'],
        },
        {
          title: 'Processes without a database connection',
          description: 'As reported by each process.',
          unit: 'short',
          queries: [[`count by (job) (switchboard_dependency_up{${OF_SERVICE},dependency="database"} == 0)`, '{job}']],
          bad: [{ at: 1 }],
          alerts: ['DependencyAway'],
        },
      ],
    },
  ],
);
