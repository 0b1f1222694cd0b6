import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed sign-ins by address or user, within one window. */
@Entity('sign_in_attempts')
export class SignInAttemptCount {
  @PrimaryColumn({ type: 'bytea' }) subject: Buffer;
  @Column({ type: 'int' }) attempts: number;
  @Column({ name: 'ends_at', type: 'timestamptz' }) endsAt: Date;
}
