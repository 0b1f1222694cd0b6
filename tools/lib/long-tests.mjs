// @ts-check
// The tests that take long by their nature: they kill, stop and flood, start a broker of their own, wait for real time
// to pass, go through every page, or run the programs of others on all manifests. A plain `npm test` leaves them out, so
// that it stays short enough to be run for every change; `npm test -- --only proofs` runs them, and every release does.

/** Unit tests. */
export const LONG_UNIT = [
  'k8s/components.spec.ts',
  'k8s/schema.spec.ts',
  'observability/rules.spec.ts',
  'observability/scrape.spec.ts',
  'tools/infra/postgres-pair.spec.mjs',
  'tools/infra/rabbitmq-cluster.spec.mjs',
  'tools/release/release.spec.mjs',
  'tools/release/sbom.spec.mjs',
];

/** Integration tests. */
export const LONG_INTEGRATION = [
  'libs/blobs/test/unfinished.int-spec.ts',
  'libs/broker/test/alert-metrics.int-spec.ts',
  'libs/broker/test/broadcast.int-spec.ts',
  'libs/broker/test/confirms.int-spec.ts',
  'libs/broker/test/database-away.int-spec.ts',
  'libs/broker/test/delays.int-spec.ts',
  'libs/broker/test/drain.int-spec.ts',
  'libs/broker/test/failing-handler.int-spec.ts',
  'libs/broker/test/held-bytes.int-spec.ts',
  'libs/broker/test/killed-broker.int-spec.ts',
  'libs/broker/test/logins.int-spec.ts',
  'libs/broker/test/lost-connection.int-spec.ts',
  'libs/broker/test/outbox-relay.int-spec.ts',
  'libs/broker/test/stale-queues.int-spec.ts',
  'libs/database/test/outages.int-spec.ts',
  'apps/gateway/test/console-tenancy.int-spec.ts',
  'apps/gateway/test/dependencies-away.int-spec.ts',
  'apps/gateway/test/doctor.int-spec.ts',
  'apps/gateway/test/doctor-cluster.int-spec.ts',
  'apps/gateway/test/fuzz.int-spec.ts',
  'apps/gateway/test/job-downloads.int-spec.ts',
  'apps/gateway/test/key-changes.int-spec.ts',
  'apps/gateway/test/killed-enrolment.int-spec.ts',
  'apps/gateway/test/ops-queues.int-spec.ts',
  'apps/gateway/test/second-factor.int-spec.ts',
  'apps/gateway/test/shared-rate-limit.int-spec.ts',
  'apps/gateway/test/shutdown.int-spec.ts',
  'apps/gateway/test/slow-stop.int-spec.ts',
  'apps/gateway/test/tls.int-spec.ts',
  'apps/gateway/test/unknown-keys.int-spec.ts',
  'apps/gateway/test/upload-memory.int-spec.ts',
  'apps/jobs/test/hostile-sheets.int-spec.ts',
  'apps/jobs/test/release.int-spec.ts',
  'apps/messaging/test/answered-without-outcome.int-spec.ts',
  'apps/messaging/test/callback-storm.int-spec.ts',
  'apps/messaging/test/callback-watermark.int-spec.ts',
  'apps/messaging/test/job-unknown-outcome.int-spec.ts',
  'apps/messaging/test/long-lists.int-spec.ts',
  'apps/messaging/test/marketing-endpoint.int-spec.ts',
  'apps/messaging/test/number-quality.int-spec.ts',
  'apps/messaging/test/retention.int-spec.ts',
  'apps/messaging/test/slow-stop.int-spec.ts',
  'apps/messaging/test/throttling.int-spec.ts',
  'apps/messaging/test/unknown-outcome.int-spec.ts',
  'apps/otp/test/no-oracle-in-time.int-spec.ts',
  'apps/webhooks/test/https.int-spec.ts',
  'apps/webhooks/test/isolation.int-spec.ts',
  'apps/webhooks/test/killed-process.int-spec.ts',
  'apps/webhooks/test/long-log.int-spec.ts',
  'apps/webhooks/test/recovery.int-spec.ts',
  'apps/webhooks/test/retry-schedule.int-spec.ts',
  'apps/webhooks/test/rotation.int-spec.ts',
];

/** End-to-end tests. */
export const LONG_E2E = [
  'apps/e2e/src/browser/away.e2e.ts',
  'apps/e2e/src/browser/every-page.e2e.ts',
  'apps/e2e/src/browser/manners.e2e.ts',
  'apps/e2e/src/browser/people-changes.e2e.ts',
  'apps/e2e/src/browser/session.e2e.ts',
  'apps/e2e/src/browser/simulator-page.e2e.ts',
  'apps/e2e/src/connect-guide.e2e.ts',
  'apps/e2e/src/excel.e2e.ts',
];
