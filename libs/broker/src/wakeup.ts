/** Lets a loop rest until somebody wakes it or its time is over. A call while it works is not lost. */
export class Wakeup {
  private isCalled = false;
  private end?: () => void;

  wake(): void {
    this.isCalled = true;
    this.end?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.isCalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.end = undefined;
    this.isCalled = false;
  }
}
