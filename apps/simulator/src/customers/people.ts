const MAX_PEOPLE = 10_000;

/** Profile that a customer shows to every business. */
export interface Person {
  name: string;
  username?: string;
  hidesPhone: boolean;
  /** Callbacks contain the parent BSUID, as for a portfolio that has enabled these. */
  hasParentUserId: boolean;
}

/** Customers with an explicit description. All others appear as in each of their messages. */
export class People {
  private readonly people = new Map<string, Person>();

  /** @returns false when too many customers are described */
  describe(waId: string, person: Person): boolean {
    if (this.people.size >= MAX_PEOPLE && !this.people.has(waId)) return false;
    this.people.set(waId, person);
    return true;
  }

  find(waId: string): Person | undefined {
    return this.people.get(waId);
  }

  /** Records that the customer shared the number, so that it is no longer hidden. */
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
