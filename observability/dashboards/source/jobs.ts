import { board, HERE, rateBy } from './kit';

const TASKS = `${HERE},contract=~"jobs\\\\..*|messaging\\\\.send-job-messages.*"`;

export const jobsBoard = board('jobs', 'Jobs and one-time codes', 'Bulk jobs on their way, and codes.', [
  {
    heading: 'Jobs',
    panels: [
      {
        title: 'Recipients of open jobs',
        description: 'Pending: not released yet. Released: a message is on its way. Paused: of jobs that are paused.',
        unit: 'short',
        queries: [[`max by (state) (switchboard_jobs_recipients{${HERE}})`, '{state}']],
        isSum: true,
      },
      {
        title: 'Open jobs',
        description: 'Jobs that are not over.',
        unit: 'short',
        queries: [[`max by (namespace) (switchboard_jobs_open{${HERE}})`, '{namespace}']],
      },
      {
        title: 'Messages of jobs by outcome',
        description:
          'Throttled: the platform wants less of it, they come again. Held: the number or the template is stopped.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_messaging_job_messages_total', HERE), '{outcome}']],
        isSum: true,
        alerts: ['UnknownOutcomes'],
      },
    ],
  },
  {
    heading: 'Work of jobs',
    panels: [
      {
        title: 'What became of tasks and events of jobs',
        description: 'Failed comes again; dead letters do not.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_broker_deliveries_total', TASKS), '{outcome}']],
        isSum: true,
        alerts: ['DeadLetters', 'QueueGrowing'],
      },
      {
        title: 'Since each loop last succeeded',
        description: 'Of the service jobs. Its own period stands on the dashboard of processes.',
        unit: 's',
        queries: [
          [`max by (loop) (time() - switchboard_loop_last_success_timestamp_seconds{${HERE},job="jobs"})`, '{loop}'],
        ],
        alerts: ['LoopStalled'],
      },
    ],
  },
  {
    heading: 'One-time codes',
    panels: [
      {
        title: 'Codes sent, by outcome',
        description: 'Abandoned: not handed over, and never will be.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_otp_sends_total', HERE), '{outcome}']],
        isSum: true,
      },
      {
        title: 'Codes tried, by outcome',
        description: 'Locked: too many wrong tries for one phone. Many at once: somebody guesses.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_otp_verifications_total', HERE), '{outcome}']],
        isSum: true,
      },
    ],
  },
]);
