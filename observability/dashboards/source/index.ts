import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { brokerBoard } from './broker';
import { databaseBoard } from './database';
import { jobsBoard } from './jobs';
import { messagingBoard } from './messaging';
import { overviewBoard } from './overview';
import { processesBoard } from './processes';
import { webhooksBoard } from './webhooks';

export const dashboards: Record<string, Dashboard> = {
  overview: overviewBoard,
  messaging: messagingBoard,
  webhooks: webhooksBoard,
  jobs: jobsBoard,
  broker: brokerBoard,
  database: databaseBoard,
  processes: processesBoard,
};
