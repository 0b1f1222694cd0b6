import { Injectable } from '@nestjs/common';

/** Current time, which decides about quiet hours. Tests replace it. */
@Injectable()
export class Clock {
  now(): number {
    return Date.now();
  }
}
