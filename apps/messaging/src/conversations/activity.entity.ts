import type { ActivityAction } from '@switchboard/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Change of the queue state of a conversation. A trigger on conversations records it. Its id contains the time. */
@Entity('activities')
export class Activity {
  @PrimaryColumn({ name: 'contact_id', type: 'text' }) contactId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) action: ActivityAction;
  /** User who made the change. Null for a message, or if the assigned user left. */
  @Column({ name: 'actor_id', type: 'text', nullable: true }) actorId: string | null;
  /** New user of `assigned`, and former user of `unassigned`. */
  @Column({ name: 'assignee_id', type: 'text', nullable: true }) assigneeId: string | null;
}
