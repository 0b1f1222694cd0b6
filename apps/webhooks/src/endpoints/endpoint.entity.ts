import { Column, CreateDateColumn, DeleteDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A webhook endpoint of an account. Repositories exclude soft-deleted rows. */
@Entity('endpoints')
export class Endpoint {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) url: string;
  @Column({ name: 'sealed_verify_token', type: 'text' }) sealedVerifyToken: string;
  @Column({ name: 'sealed_secret', type: 'text' }) sealedSecret: string;
  @Column({ name: 'set_by', type: 'text' }) setBy: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ type: 'text', array: true, nullable: true }) kinds: string[] | null;
  @Column({ name: 'max_in_flight', type: 'int', nullable: true }) maxInFlight: number | null;
  @Column({ name: 'paused_at', type: 'timestamptz', nullable: true }) pausedAt: Date | null;
  @Column({ name: 'paused_reason', type: 'text', nullable: true }) pausedReason: string | null;
  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz', nullable: true }) deletedAt: Date | null;
  @Column({ name: 'sealed_next_secret', type: 'text', nullable: true }) sealedNextSecret: string | null;
  @Column({ name: 'rotation_ends_at', type: 'timestamptz', nullable: true }) rotationEndsAt: Date | null;
  @Column({ name: 'rotated_by', type: 'text', nullable: true }) rotatedBy: string | null;
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true }) failingSince: Date | null;
  @Column({ name: 'degraded_at', type: 'timestamptz', nullable: true }) degradedAt: Date | null;
  @Column({ name: 'accepts_any_2xx', type: 'boolean' }) acceptsAny2xx: boolean;
  @Column({ name: 'has_extended_retries', type: 'boolean' }) hasExtendedRetries: boolean;
}
