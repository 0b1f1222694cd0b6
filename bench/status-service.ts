// The messaging service as it is, configured by the benchmark's environment.
import '../apps/messaging/src/main';
