// Profiles the services like those of the single-send benchmark.
import './send-profile';
