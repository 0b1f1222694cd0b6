import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Second factor of a user; pending until confirmed. */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'sealed_secret', type: 'text' }) sealedSecret: string;
  @Column({ name: 'confirmed_at', type: 'timestamptz', nullable: true }) confirmedAt: Date | null;
  @Column({ name: 'last_step', type: 'bigint' }) lastStep: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
