const MAX_PEOPLE = 10_000;

/** What a person shows of themselves to every business that they write to. */
export interface Person {
  name: string;
  /** Their name on the platform, as callbacks write it. */
  username?: string;
  /** Only the user id names them in callbacks. */
  hidesPhone: boolean;
}

/** The people that somebody has described; all others are as each of their messages says. */
export class People {
  private readonly people = new Map<string, Person>();

  /** @returns false when there are too many */
  describe(waId: string, person: Person): boolean {
    if (this.people.size >= MAX_PEOPLE && !this.people.has(waId)) return false;
    this.people.set(waId, person);
    return true;
  }

  find(waId: string): Person | undefined {
    return this.people.get(waId);
  }

  /** The person has told their number: it is hidden no longer. */
  sharedPhone(waId: string): void {
    const person = this.people.get(waId);
    if (person) person.hidesPhone = false;
  }

  all(): (Person & { waId: string })[] {
    return [...this.people].map(([waId, person]) => ({ waId, ...person }));
  }

  reset(): void {
    this.people.clear();
  }
}
