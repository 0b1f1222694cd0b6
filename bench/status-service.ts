// Runs the unmodified messaging service, configured by the benchmark's environment.
import '../apps/messaging/src/main';
