import { type ApiError, api, must } from '../api/client';
import { signedIn } from '../api/session';
import { useToasts } from '../components/toasts';

/** @returns signs out and leads to the sign-in; says so when the session could not be ended */
export function useSignOut(): () => void {
  const { tell } = useToasts();
  const leave = (): void => {
    signedIn.forget();
    // Drafts of this user are no affair of the next one.
    sessionStorage.clear();
    location.assign('/dashboard');
  };
  return () =>
    void must(api.DELETE('/console/v1/session')).then(leave, (error: ApiError) => {
      // The session is over already.
      if (error.code === 'UNAUTHORIZED') return leave();
      tell({ kind: 'bad', text: `You are still signed in. ${error.message}`, more: error.code });
    });
}
