import { Column, CreateDateColumn, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { Role } from '../request-context/roles';

/** Dashboard user. The password hash is read only on request. */
@Entity('users')
export class User {
  @PrimaryColumn({ name: 'id', type: 'text' }) userId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) email: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) role: Role;
  @Column({ name: 'password_hash', type: 'text', select: false }) passwordHash: string;
  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true }) disabledAt: Date | null;
  @VirtualColumn({
    type: 'boolean',
    query: (user) => `SELECT EXISTS (SELECT FROM second_factors f
      WHERE f.user_id = ${user}.id AND f.account_id = ${user}.account_id AND f.confirmed_at IS NOT NULL)`,
  })
  hasSecondFactor: boolean;
  @Column({ name: 'last_sign_in_at', type: 'timestamptz', nullable: true }) lastSignInAt: Date | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
