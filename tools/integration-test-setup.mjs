// @ts-check
import { metricsRegistry } from '@switchboard/platform';

// Of the process, which test files share.
metricsRegistry.resetMetrics();
