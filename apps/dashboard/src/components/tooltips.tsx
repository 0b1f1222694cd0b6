import { useEffect, useRef } from 'react';

const GAP = 6;

/** Shows the `data-tip` of the element under the pointer, focused or tapped: a full time, why a button is disabled. */
export function Tips() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tip = box.current;
    if (!tip) return undefined;
    const hide = (): void => (tip.matches(':popover-open') ? tip.hidePopover() : undefined);
    const show = ({ target }: Event): void => {
      const owner = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;
      const text = owner?.dataset.tip;
      // Reopen each time: the tooltip must be above dialogs that opened later.
      hide();
      if (!owner || !text) return;
      tip.textContent = text;
      tip.showPopover();
      placeBeside(tip, owner.getBoundingClientRect());
    };
    const press = ({ key }: KeyboardEvent): void => (key === 'Escape' ? hide() : undefined);
    for (const event of ['pointerover', 'focusin', 'click']) addEventListener(event, show);
    addEventListener('keydown', press);
    return () => {
      for (const event of ['pointerover', 'focusin', 'click']) removeEventListener(event, show);
      removeEventListener('keydown', press);
    };
  }, []);
  return <div className="tip" role="tooltip" popover="manual" ref={box} />;
}

/** Places the tooltip below its owner, or above where there is no room. It stays inside the window. */
function placeBeside(tip: HTMLElement, owner: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const isBelow = owner.bottom + GAP + height < innerHeight;
  tip.style.left = `${Math.max(GAP, Math.min(owner.left, innerWidth - width - GAP))}px`;
  tip.style.top = `${isBelow ? owner.bottom + GAP : owner.top - height - GAP}px`;
}
