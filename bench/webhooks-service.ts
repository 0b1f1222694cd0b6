// Runs the unmodified webhooks service, configured by the benchmark's environment.
import '../apps/webhooks/src/main';
