import { board, HERE, rateBy } from './panels';

const TASKS = `${HERE},contract=~"jobs\\\\..*|messaging\\\\.send-job-messages.*"`;

export const jobsBoard = board('jobs', 'Jobs and one-time codes', 'Progress of bulk jobs, and one-time codes.', [
  {
    heading: 'Jobs',
    panels: [
      {
        title: 'Recipients of open jobs',
        description: 'Pending: not released yet. Released: a message is on its way. Paused: the job is paused.',
        unit: 'short',
        queries: [[`max by (state) (switchboard_jobs_recipients{${HERE}})`, '{state}']],
        isSum: true,
      },
      {
        title: 'Open jobs',
        description: 'Jobs that have not finished.',
        unit: 'short',
        queries: [[`max by (namespace) (switchboard_jobs_open{${HERE}})`, '{namespace}']],
      },
      {
        title: 'Job messages by outcome',
        description:
          'Throttled: rate-limited by the platform; retried automatically. Held: the number or template is stopped.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_messaging_job_messages_total', HERE), '{outcome}']],
        isSum: true,
        alerts: ['UnknownOutcomes'],
      },
    ],
  },
  {
    heading: 'Job processing',
    panels: [
      {
        title: 'Tasks and events of jobs by outcome',
        description: 'Failed messages are retried; dead letters are not.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_broker_deliveries_total', TASKS), '{outcome}']],
        isSum: true,
        alerts: ['DeadLetters', 'QueueGrowing'],
      },
      {
        title: 'Time since last success, by loop',
        description: 'Loops of the jobs service. The Processes dashboard relates this to the period of each loop.',
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
        description: 'Abandoned: not accepted by the platform and no longer retried.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_otp_sends_total', HERE), '{outcome}']],
        isSum: true,
      },
      {
        title: 'Codes verified, by outcome',
        description: 'Locked: too many wrong attempts for one phone. A burst suggests that someone is guessing codes.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_otp_verifications_total', HERE), '{outcome}']],
        isSum: true,
      },
    ],
  },
]);
