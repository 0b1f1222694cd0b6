export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 20 20" aria-hidden>
      <rect width="20" height="20" rx="5" fill="currentColor" />
      <path d="M5 7.2h6.5M5 12.8h3.5" stroke="var(--on-accent)" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="14" cy="7.2" r="1.7" fill="var(--on-accent)" />
      <circle cx="11" cy="12.8" r="1.7" fill="var(--on-accent)" />
    </svg>
  );
}
