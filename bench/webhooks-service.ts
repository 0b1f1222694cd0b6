// The webhooks service as it is, configured by the benchmark's environment.
import '../apps/webhooks/src/main';
