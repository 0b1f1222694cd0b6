// The services of this benchmark are profiled as those of the single send.
import './send-profile';
