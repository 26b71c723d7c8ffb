// What a server costs until its first response, and when it has settled.
// `start <port> <path> <seconds> <command> [<argument>…]` prints the wall time and the CPU time in
// milliseconds until the response, and the resident memory in megabytes after some more seconds; then
// it ends the server.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int is_responding(int port, const char *path) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char buffer[512];
  int length = snprintf(buffer, sizeof buffer, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  int is_responding = !connect(client, (struct sockaddr *)&address, sizeof address) &&
                    send(client, buffer, (size_t)length, MSG_NOSIGNAL) == length &&
                    recv(client, buffer, sizeof buffer, 0) > 0;
  close(client);
  return is_responding;
}

static long cpu_milliseconds(pid_t process) {
  clockid_t clock;
  struct timespec time = {0};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static long resident_megabytes(pid_t process) {
  char name[64], line[256];
  long kilobytes = 0;
  snprintf(name, sizeof name, "/proc/%d/status", process);
  FILE *status = fopen(name, "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %ld", &kilobytes);
  if (status) fclose(status);
  return kilobytes / 1024;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int port = atoi(arguments[1]);
  double began = now();
  pid_t server = fork();
  if (server == 0) {
    int nowhere = open("/dev/null", O_RDWR);
    for (int k = 0; k < 3; k++) dup2(nowhere, k);
    execvp(arguments[4], arguments + 4);
    _exit(127);
  }
  while (!is_responding(port, arguments[2])) {
    if (waitpid(server, NULL, WNOHANG) || now() - began > 120) {
      fprintf(stderr, "start: %s does not respond\n", arguments[4]);
      kill(server, SIGTERM);
      return 1;
    }
    usleep(100);
  }
  double wall = now() - began;
  long cpu = cpu_milliseconds(server);
  usleep((useconds_t)(atof(arguments[3]) * 1e6));
  printf("%.3f %ld %ld\n", wall * 1e3, cpu, resident_megabytes(server));
  kill(server, SIGTERM);
  waitpid(server, NULL, 0);
}
