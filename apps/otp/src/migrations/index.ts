import { CreateOtp1764100000830 } from './1764100000830-create-otp';

/** In execution order. */
export const migrations = [CreateOtp1764100000830] as const;
