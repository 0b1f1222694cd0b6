import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of failed sign-ins within one window, by address or user. */
@Entity('sign_in_attempts')
export class SignInAttemptCount {
  @PrimaryColumn({ type: 'bytea' }) subject: Buffer;
  @Column({ type: 'int' }) attempts: number;
  @Column({ name: 'ends_at', type: 'timestamptz' }) endsAt: Date;
}
