import {
  bodyJson,
  CHANGED_IDS_MAX,
  DATA_CHANGES_MAX,
  type DataChange,
  dataChangedV1,
  type EventContract,
} from '@switchboard/contracts';

/**
 * Collects the data changes of the events that are published within one event loop iteration, and publishes them
 * together. A batch of the outbox thus adds one message to the broker instead of one per event.
 */
export class ChangeCollector {
  private readonly events: { contract: EventContract; body: string }[] = [];

  /**
   * @param publish receives the body of each `dataChangedV1`
   * @param onError receives what prevents that. The changes are lost, so dashboards also poll
   */
  constructor(
    private readonly publish: (body: string) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** @param body the event in its serialized form */
  add(contract: EventContract, body: string): void {
    if (!contract.changes) return;
    if (this.events.length === 0) setImmediate(() => this.flush());
    this.events.push({ contract, body });
  }

  private flush(): void {
    try {
      const changes = mergeChanges(
        this.events.splice(0).flatMap(({ contract, body }) => contract.changes?.(JSON.parse(body) as object) ?? []),
      );
      for (let from = 0; from < changes.length; from += DATA_CHANGES_MAX)
        this.publish(bodyJson(dataChangedV1, { changes: changes.slice(from, from + DATA_CHANGES_MAX) }));
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Combines the changes of an account that have the same kind. */
export function mergeChanges(changes: readonly DataChange[]): DataChange[] {
  const merged = new Map<string, { change: DataChange; ids: Set<string> | null }>();
  for (const { accountId, kind, ids } of changes) {
    const key = `${accountId} ${kind}`;
    const entry = merged.get(key) ?? { change: { accountId, kind }, ids: new Set<string>() };
    for (const id of ids ?? []) entry.ids?.add(id);
    if (!ids || (entry.ids?.size ?? 0) > CHANGED_IDS_MAX) entry.ids = null;
    merged.set(key, entry);
  }
  return [...merged.values()].map(({ change, ids }) => ({ ...change, ...(ids && { ids: [...ids] }) }));
}
