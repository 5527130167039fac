#!/bin/sh
# Starts workerd so that it ends with the process that holds the lifeline open, however that one ends.
{ read -r _ <"$LIFELINE"; kill -9 $$; } >/dev/null 2>&1 3>&- &
exec "$WORKERD" "$@"
